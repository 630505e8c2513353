"""A refresh that keeps what stands of a published week ends where one from nothing ends, row by row and hash by hash."""

import random
import shutil
from datetime import timedelta

import pytest
from small_programme import CLOSED, FILES, RECEIPTS, drop, made, tables
