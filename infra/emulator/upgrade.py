"""What an upgrade is measured by: version 0.1 with its data, and what a stack consists of.

upgrade.py deploy <folder of the fixtures> <stack>   creates the stack of version 0.1, loads its table, and answers its resources
upgrade.py resources <stack>                         every resource, nested stacks included: [template, logical id, type, physical id]
upgrade.py rows <table>                              the keys of every row
"""

import base64
import json
import pathlib
import sys
import time

from botocore.session import get_session

session = get_session()
region = session.get_config_variable("region")
cloudformation = session.create_client("cloudformation")
dynamodb = session.create_client("dynamodb")
s3 = session.create_client("s3")


def read(folder, name):
    return (pathlib.Path(folder) / name).read_text()


def publish(bucket, name, template):
    s3.put_object(Bucket=bucket, Key=name, Body=json.dumps(template).encode())
    return f"https://s3.{region}.amazonaws.com/{bucket}/{name}"


def upload(folder, bucket):
    """The template with its nested one, both where CloudFormation reads them; the CDK's check of its bootstrap is left out."""
    root, *nested = json.loads(read(folder, "sandbox.template.json")).items()
    s3.create_bucket(Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": region})
    addresses = [publish(bucket, f"{name}.json", template) for name, template in nested]
    template = {name: part for name, part in root[1].items() if name not in ("Parameters", "Rules")}
    for resource in template["Resources"].values():
        if resource["Type"] == "AWS::CloudFormation::Stack":
            resource["Properties"]["TemplateURL"] = addresses.pop(0)
    return publish(bucket, "Root.json", template)


def create(stack, address):
    cloudformation.create_stack(StackName=stack, TemplateURL=address, Capabilities=["CAPABILITY_IAM"])
    for _ in range(300):
        [described] = cloudformation.describe_stacks(StackName=stack)["Stacks"]
        if described["StackStatus"] == "CREATE_COMPLETE":
            return {output["OutputKey"]: output["OutputValue"] for output in described["Outputs"]}
        if "FAILED" in described["StackStatus"] or "ROLLBACK" in described["StackStatus"]:
            raise SystemExit(f"{described['StackStatus']}: {described.get('StackStatusReason')}")
        time.sleep(0.5)
    raise SystemExit(f"{stack} was not created in time.")


def revived(row):
    """Bytes are base64 in DynamoDB's JSON; what would have expired since then stays for another month."""
    if "payload" in row:
        row["payload"]["B"] = base64.b64decode(row["payload"]["B"])
    if "ttl" in row:
        row["ttl"]["N"] = str(int(time.time()) + 30 * 86_400)
    return row


def load(folder, table, bucket):
    rows = [revived(json.loads(line)) for line in read(folder, "table.jsonl").splitlines()]
    for first in range(0, len(rows), 25):
        puts = [{"PutRequest": {"Item": row}} for row in rows[first : first + 25]]
        dynamodb.batch_write_item(RequestItems={table: puts})
    for name, image in json.loads(read(folder, "manifest.json"))["images"].items():
        s3.put_object(Bucket=bucket, Key=f"images/{name}", Body=base64.b64decode(image))


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


def deploy(folder, stack):
    outputs = create(stack, upload(folder, f"{stack}-templates"))
    load(folder, outputs["TableName"], outputs["BucketName"])
    return resources(stack)


command, *given = sys.argv[1:]
json.dump({"deploy": deploy, "resources": resources, "rows": rows}[command](*given), sys.stdout)
