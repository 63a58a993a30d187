import { randomUUID } from 'node:crypto';
import type { EventBridgeEvent } from 'aws-lambda';
import { localAws } from '../local-aws.ts';

export interface EventContents {
  source: string;
  detailType: string;
  detail: unknown;
  time?: Date;
  resources?: string[];
}

/** Wraps an event like EventBridge does before a function gets it. `time` has whole seconds. */
export function wrapEvent(contents: EventContents): EventBridgeEvent<string, unknown> {
  const time = contents.time ?? new Date();
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': contents.detailType,
    source: contents.source,
    account: localAws.account,
    time: `${time.toISOString().slice(0, 19)}Z`,
    region: localAws.region,
    resources: contents.resources ?? [],
    detail: contents.detail,
  };
}
