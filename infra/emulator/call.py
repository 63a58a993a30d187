"""Makes one call to the emulated AWS, as its command line would: call.py <service> <operation> <input as JSON>."""

import base64
import json
import sys

from botocore.session import get_session



def printable(value):
    """Writes bytes as base64, as DynamoDB's JSON does."""
    return base64.b64encode(value).decode() if isinstance(value, bytes) else str(value)


service, operation, given = sys.argv[1:4]
client = get_session().create_client(service)
json.dump(getattr(client, operation)(**json.loads(given)), sys.stdout, default=printable)
