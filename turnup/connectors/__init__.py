"""Systems that turnup asks for data itself: what they answer is laid into the inbox as files, like any delivery."""
