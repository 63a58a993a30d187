import { invokeFunction } from '../../../infra/local/invoke.ts';
import { startLocalGateway } from '../../../infra/local/local-gateway.ts';
import { localNames } from '../../../infra/local/sandbox-environment.ts';
import { startBucket } from '../../../infra/local-aws/bucket.ts';
import { seeded, tally } from '../../support/seeded.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { makeRequest } from './make-request.ts';
import type { FuzzAnswer, FuzzRequest } from './request.ts';
import { invokeDirectly, sendOverHttp } from './send.ts';
import { openShop, routesWithoutBody } from './shop.ts';
import { actualEndpoint, answerFaults, isOfGateway } from './verdict.ts';

interface FuzzReport {
  statuses: Record<string, number>;
  /** How often each line of the route table was asked. */
  reached: Record<string, number>;
  /** Each kind of fault once, with a request that shows it. */
  faults: string[];
  lines: string[];
}

/** The shop is opened again from time to time: what was archived, revoked or used up is there once more. */
const roundLength = 400;
/** One request in this number goes over HTTP. */
const overHttp = 10;

const shown = (text: string): string =>
  JSON.stringify(text.length > 400 ? `${text.slice(0, 400)}… (${text.length})` : text);

function describe(
  { method, path, query, headers, cookies, body }: FuzzRequest,
  { status, text }: FuzzAnswer,
  log: readonly string[],
): string {
  const { authorization, ...others } = headers;
  return [
    `${method} ${shown(path)} ?${shown(query)}`,
    `  headers ${shown(JSON.stringify(others))}, ${authorization ? 'a key' : 'no key'}, ${cookies.length} cookies`,
    `  body ${shown(body?.toString('latin1') ?? '')}`,
    `  answer ${status} ${shown(text)}`,
    ...log.map((line) => `  log ${line.slice(0, 1_500)}`),
  ].join('\n');
}

async function startWorld() {
  const api = await startApi();
  const bucket = await startBucket({ bucketNames: [localNames.bucket] });
  process.env['AWS_ENDPOINT_URL_S3'] = bucket.url;
  const gateway = await startLocalGateway({ invoke: invokeFunction });
  const stop = async () => {
    await gateway.close();
    await bucket.stop();
    await api.stop();
  };
  return { api, url: `http://127.0.0.1:${gateway.port}`, stop };
}

/** Sends this number of requests, the same ones for the same seed, and returns the wrong answers. */
export async function fuzz({ count, seed }: { count: number; seed: number }): Promise<FuzzReport> {
  const { api, url, stop } = await startWorld();
  try {
    return await campaign(api, url, { count, seed });
  } finally {
    await stop();
  }
}

async function campaign(api: Api, url: string, { count, seed }: { count: number; seed: number }): Promise<FuzzReport> {
  const random = seeded(seed);
  const statuses: string[] = [];
  const reached: string[] = [];
  const faults = new Map<string, string>();
  let shop = await openShop(api);
  const missing = routesWithoutBody(shop.bodies);
  if (missing.length > 0) faults.set(`no body is known for ${missing.join(', ')}`, '');
  for (let number = 0; number < count; number += 1) {
    if (number % roundLength === roundLength - 1) shop = await openShop(api);
    const made = makeRequest(random, shop, number);
    const before = api.log.length;
    const isHttp = number % overHttp === 0;
    const answer = isHttp ? await sendOverHttp(url, made) : await invokeDirectly(made);
    if (!answer) continue;
    const request = { ...made, endpoint: actualEndpoint(made) };
    statuses.push(`${answer.status}`);
    reached.push(`${request.endpoint.method} ${request.endpoint.paths[0]}`);
    if (isHttp && (made.method === 'HEAD' || isOfGateway(answer))) continue;
    const errors = api.log.slice(before).filter((line) => line.includes('"level":"error"'));
    for (const fault of answerFaults(request, answer)) {
      const name = `${reached.at(-1)}: ${fault}`;
      if (!faults.has(name)) faults.set(name, describe(request, answer, errors));
    }
  }
  const lines = [...faults].map(([name, example]) => `${name}\n${example}`);
  return { statuses: tally(statuses), reached: tally(reached), faults: [...faults.keys()], lines };
}

/** Prints what a campaign found. */
export async function runFuzz(options: { count: number; seed: number }): Promise<boolean> {
  const { statuses, reached, faults, lines } = await fuzz(options);
  console.log(`fuzz: seed ${options.seed}, ${options.count} requests to ${Object.keys(reached).length} routes`);
  console.log(`answers: ${JSON.stringify(statuses)}`);
  console.log(faults.length === 0 ? 'every answer is in the dialect' : `NOT IN ORDER:\n${lines.join('\n')}`);
  return faults.length === 0;
}
