"""Messages between chips and their times; one file a kind of message.

A kind answers six questions (``message.py``). Each is a function that dispatches on the kind's record, so a new kind is
a new file that registers its answers, and one line here that imports it. Times on the levels of a fabric combine in the
same way for most kinds (``levels.py``); all-to-alls answer that, too.
"""

from ridgeline.estimator.messages.all_gather import AllGather as AllGather
from ridgeline.estimator.messages.all_reduce import AllReduce as AllReduce
from ridgeline.estimator.messages.all_to_all import AllToAll as AllToAll
from ridgeline.estimator.messages.all_to_all import Routed as Routed
from ridgeline.estimator.messages.message import Message as Message
from ridgeline.estimator.messages.send import Send as Send
from ridgeline.estimator.placement import Group as Group
