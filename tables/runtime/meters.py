"""Counters and timers for operators; docs/running/operating.md explains each."""

from prometheus_client import Counter, Histogram

INTERACTIONS = Counter("parlour_interactions", "Requests of people, by outcome", ["kind", "outcome"])
ANSWER_SECONDS = Histogram(
    "parlour_answer_seconds",
    "From the arrival of an interaction to its first answer",
    ["kind"],
    buckets=(0.05, 0.1, 0.25, 0.5, 0.8, 1.5, 3, 10),
)
POST_SECONDS = Histogram(
    "parlour_post_seconds",
    "From the commit to the message that shows it",
    ["kind"],
    buckets=(0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300, 900),
)
RETRIES = Counter("parlour_post_retries", "Posts that I couldn't show and will try again", ["kind"])
COMMITS = Counter("parlour_commits", "Table steps that were saved")
LOOP_LAG_SECONDS = Histogram(
    "parlour_loop_lag_seconds",
    "How late the event loop came back, compared with the planned time",
    buckets=(0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5),
)
