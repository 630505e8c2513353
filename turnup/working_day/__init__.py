"""What is asked between two reports: what today brings, and what to speak about in one call.

Belongs here: choosing the rows of a published week for that. Does not: computing any figure; each is read as it stands.
"""
