"""A programme in one file: what is in it, how it is written, and how a stranger's file is read without harm."""
