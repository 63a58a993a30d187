"""Every message in the log groups whose names hold a text, as a list: logs.py <text>."""

import json
import sys

from botocore.session import get_session

client = get_session().create_client("logs")


def pages(operation, **given):
    yield from client.get_paginator(operation).paginate(**given)


groups = [group["logGroupName"] for page in pages("describe_log_groups") for group in page["logGroups"]]
messages = [
    event["message"]
    for group in groups
    if sys.argv[1] in group
    for page in pages("filter_log_events", logGroupName=group)
    for event in page["events"]
]
json.dump(messages, sys.stdout)
