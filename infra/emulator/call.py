"""One call to the emulated AWS, as its command line would make it: call.py <service> <operation> <input as JSON>."""

import json
import sys

from botocore.session import get_session

service, operation, given = sys.argv[1:4]
client = get_session().create_client(service)
json.dump(getattr(client, operation)(**json.loads(given)), sys.stdout, default=str)
