"""Answers for many graphs: small ones by compiled searches in threads, the others on all cores, in the list's order.

A damaged graph, or one without an answer in time, gets an answer that says so, and the others go on.
"""

from encoders.many.answering import ListReport, answer_list
from encoders.many.outcome import Outcome
from encoders.many.question import UNREADABLE, Answer, Filter, Question

__all__ = ["UNREADABLE", "Answer", "Filter", "Outcome", "Question", "ListReport", "answer_list"]
