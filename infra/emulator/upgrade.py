"""What a stack consists of, to compare it before and after an upgrade.

upgrade.py resources <stack>   every resource, nested stacks included: [template, logical id, type, physical id]
upgrade.py rows <table>        the keys of every row
"""

import json
import sys

from botocore.session import get_session

session = get_session()
cloudformation = session.create_client("cloudformation")
dynamodb = session.create_client("dynamodb")


def resources(stack, template="Root"):
    found = []
    for page in cloudformation.get_paginator("list_stack_resources").paginate(StackName=stack):
        for resource in page["StackResourceSummaries"]:
            place = resource["LogicalResourceId"], resource["ResourceType"], resource["PhysicalResourceId"]
            found.append([template, *place])
            if resource["ResourceType"] == "AWS::CloudFormation::Stack":
                found += resources(resource["PhysicalResourceId"], resource["LogicalResourceId"])
    return found


def rows(table):
    pages = dynamodb.get_paginator("scan").paginate(TableName=table, ConsistentRead=True)
    return [f"{row['pk']['S']} {row['sk']['S']}" for page in pages for row in page["Items"]]


command, *given = sys.argv[1:]
json.dump({"resources": resources, "rows": rows}[command](*given), sys.stdout)
