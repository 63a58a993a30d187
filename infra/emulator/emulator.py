"""Starts the emulator with what it lacks for a Tillstack stack; docs/emulator-gaps.md lists each of these as a gap.

Nothing here makes the emulator more lenient: the template that it deploys is the one that AWS gets.
"""

import json
import os
import re
import uuid

import ministack.app as app
from ministack.core import iam_actions
from ministack.services import apigateway, cloudwatch_logs, dynamodb, eventbridge, lambda_svc
from ministack.services.cloudformation import changesets, engine, handlers as stacks, provisioners

handlers = provisioners._RESOURCE_HANDLERS


def create_archive(logical_id, props, stack_name):
    """The emulator has archives, but its CloudFormation does not know them."""
    name = provisioners._physical_name(stack_name, logical_id, max_len=48)
    request = {
        "ArchiveName": name,
        "EventSourceArn": props["SourceArn"],
        "EventPattern": json.dumps(props["EventPattern"]),
        "RetentionDays": int(props["RetentionDays"]),
    }
    status, _, body = eventbridge._create_archive(request)
    if status != 200:
        raise ValueError(f"AWS::Events::Archive {logical_id}: {body!r}")
    return name, {"Arn": json.loads(body)["ArchiveArn"], "ArchiveName": name}


def delete_archive(physical_id, _props):
    eventbridge._delete_archive({"ArchiveName": physical_id})


handlers["AWS::Events::Archive"] = {"create": create_archive, "delete": delete_archive}

alarm = handlers["AWS::CloudWatch::Alarm"]
create_metric_alarm = alarm["create"]


def create_alarm(logical_id, props, stack_name):
    """An alarm over a computed metric is accepted and never created: the emulator computes no metrics."""
    if "Metrics" not in props:
        return create_metric_alarm(logical_id, props, stack_name)
    name = provisioners._physical_name(stack_name, logical_id, max_len=255)
    return name, {"Arn": f"arn:aws:cloudwatch:::alarm:{name}"}


def update_alarm(physical_id, old_props, new_props, stack_name, logical_id=None):
    """A change of such an alarm is accepted as its creation is. An alarm that has become one over a single metric is created."""
    if "Metrics" in new_props or "Metrics" in old_props:
        return create_alarm(logical_id, new_props, stack_name)
    return update_metric_alarm(physical_id, old_props, new_props, stack_name, logical_id)


def delete_alarm(physical_id, props):
    if "Metrics" not in props:
        delete_metric_alarm(physical_id, props)


update_metric_alarm, delete_metric_alarm = alarm["update"], alarm["delete"]
alarm["create"], alarm["update"], alarm["delete"] = create_alarm, update_alarm, delete_alarm

table = handlers["AWS::DynamoDB::Table"]
create_plain_table = table["create"]


def create_table(logical_id, props, stack_name):
    """The emulator's CloudFormation forgets point-in-time recovery, which its DynamoDB has."""
    physical_id, attributes = create_plain_table(logical_id, props, stack_name)
    specification = props.get("PointInTimeRecoverySpecification")
    if specification:
        dynamodb._update_continuous_backups({"TableName": physical_id, "PointInTimeRecoverySpecification": specification})
    return physical_id, attributes


table["create"] = create_table

known_attributes = {}
provision_resource, update_resource = provisioners._provision_resource, provisioners._update_resource


def remember(resource_type, result):
    physical_id, attributes = result
    known_attributes[resource_type, physical_id] = {**known_attributes.get((resource_type, physical_id), {}), **attributes}
    return physical_id, known_attributes[resource_type, physical_id]


def provision_and_remember(resource_type, *given):
    return remember(resource_type, provision_resource(resource_type, *given))


def update_and_remember(resource_type, physical_id, old_props, new_props, stack_name, logical_id=None, old_attrs=None):
    """A nested stack that is updated forgets the attributes of what has not changed, which others refer to."""
    attributes = old_attrs or known_attributes.get((resource_type, physical_id))
    result = update_resource(resource_type, physical_id, old_props, new_props, stack_name, logical_id, attributes)
    return remember(resource_type, result)


provisioners._provision_resource, provisioners._update_resource = provision_and_remember, update_and_remember

context_of = iam_actions.dynamodb_service_context


def text_of(value):
    return value["S"] if isinstance(value, dict) and "S" in value else None


def leading_keys(request):
    """The partition keys that a request names: of its rows, or of the first equality in its key condition."""
    operations = [op for item in request.get("TransactItems") or [] for op in item.values()] or [request]
    rows = [op.get("Key") or op.get("Item") or {} for op in operations]
    for asked in (request.get("RequestItems") or {}).values():
        writes = [op for item in asked for op in item.values()] if isinstance(asked, list) else []
        rows += [op.get("Key") or op.get("Item") or {} for op in writes] if writes else asked["Keys"]
    keys = [text_of(row.get("pk")) for row in rows]
    equality = re.search(r"=\s*(:\w+)", request.get("KeyConditionExpression") or "")
    if equality:
        keys.append(text_of((request.get("ExpressionAttributeValues") or {}).get(equality[1])))
    return [key for key in keys if key is not None]


def context_with_leading_keys(body):
    """IAM's dynamodb:LeadingKeys, on which every role of ours depends; the emulator evaluates the rest of a policy by itself."""
    context = context_of(body)
    try:
        request = json.loads(body or b"{}")
    except ValueError:
        return context
    keys = leading_keys(request) if isinstance(request, dict) else []
    return {**context, "dynamodb:LeadingKeys": keys} if keys else context


iam_actions.dynamodb_service_context = context_with_leading_keys

action_of = iam_actions.extract_iam_action


def action_of_batch(*given):
    """IAM knows no actions of batches of messages: sqs:SendMessage allows both; the emulator would ask for sqs:SendMessageBatch."""
    action = action_of(*given)
    return re.sub(r"^(sqs:\w+)Batch$", r"\1", action) if action else action


iam_actions.extract_iam_action = action_of_batch

create_route = handlers["AWS::ApiGatewayV2::Route"]["create"]


def create_route_once(logical_id, props, stack_name):
    """API Gateway refuses a second route with the same key, so a route cannot move to another stack; the emulator would keep both."""
    taken = [route["routeKey"] for route in apigateway._routes.get(props["ApiId"], {}).values()]
    if props["RouteKey"] in taken:
        raise ValueError(f"Route with key {props['RouteKey']} already exists for this API")
    return create_route(logical_id, props, stack_name)


handlers["AWS::ApiGatewayV2::Route"]["create"] = create_route_once

execute_function = lambda_svc._execute_function_with_config_scope


def execute_with_cookies(record, event, *given, **named):
    """A request to an HTTP API hands its cookies over in a list of their own, not among the headers."""
    if isinstance(event, dict) and event.get("version") == "2.0":
        headers = {name.lower(): value for name, value in event["headers"].items()}
        cookies = [cookie for cookie in re.split(r";\s*", headers.pop("cookie", "")) if cookie]
        event = {**event, "headers": headers, **({"cookies": cookies} if cookies else {})}
    return execute_function(record, event, *given, **named)


lambda_svc._execute_function_with_config_scope = execute_with_cookies



def create_query(logical_id, props, stack_name):
    """A saved query is for the console, which the emulator does not have: it is accepted and kept nowhere."""
    if not props["QueryString"] or not all(name in cloudwatch_logs._log_groups for name in props["LogGroupNames"]):
        raise ValueError(f"AWS::Logs::QueryDefinition {logical_id} asks nothing, or a log group that is not there")
    physical_id = f"{stack_name}-{logical_id}"
    return physical_id, {"QueryDefinitionId": physical_id}


handlers["AWS::Logs::QueryDefinition"] = {"create": create_query, "delete": lambda _physical_id, _props: None}

emit_logs = lambda_svc._emit_lambda_logs


def emit_with_name(func, *given, **named):
    """Lambda names a stream of a log group that functions share after the function; the emulator leaves its name out."""
    config = func.get("config") or func
    group_name = (config.get("LoggingConfig") or {}).get("LogGroup")
    if group_name not in cloudwatch_logs._log_groups:
        return emit_logs(func, *given, **named)
    aside = f"{group_name}/{uuid.uuid4()}"
    logging = {**config["LoggingConfig"], "LogGroup": aside}
    emit_logs({**func, "config": {**config, "LoggingConfig": logging}}, *given, **named)
    written = cloudwatch_logs._log_groups.pop(aside, {"streams": {}})["streams"]
    streams = cloudwatch_logs._log_groups[group_name]["streams"]
    for name, stream in written.items():
        streams[name.replace("[", f"{config['FunctionName']}[", 1)] = stream


lambda_svc._emit_lambda_logs = emit_with_name

parse_template = engine._parse_template
aws_host = re.compile(r'\.execute-api\.(?:", \{"Ref": "AWS::Region"\}, "|[a-z0-9-]+)\.", \{"Ref": "AWS::URLSuffix"\}')
own_host = f'.execute-api.localhost:{os.environ["GATEWAY_PORT"]}"'


def parse_for_this_machine(body):
    """The template makes the API's address from its id, region and AWS's domain. Here the API is below `localhost`."""
    return json.loads(aws_host.sub(own_host, json.dumps(parse_template(body))))


for module in (engine, changesets, stacks):
    module._parse_template = parse_for_this_machine

# Beside its own port it would take 443, which is none of our business.
app._port_is_bindable = lambda *_: False

app.main()
