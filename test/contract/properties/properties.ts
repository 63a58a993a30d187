import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { localKey } from '../../../infra/local/local-key.ts';
import { startExampleShop } from '../shop.ts';
import { pythonTools } from '../tools/python.ts';

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'positive_data_acceptance',
  'missing_required_header',
  'unsupported_method',
  'allow_header_conformance',
  'use_after_free',
  'ensure_resource_availability',
  'ignored_auth',
];

interface Report {
  test_cases: { generated: number };
  failures: { code: string; title: string; operations: string[] }[];
  errors: unknown[];
}

export interface Campaign {
  /** The most cases of one operation in each phase that draws them. */
  perOperation: number;
  /** `examples,coverage,fuzzing,stateful` */
  phases: string;
  seed: number;
  /** Its own words, as they come. */
  isLoud: boolean;
}

export interface Findings {
  cases: number;
  unexplained: string[];
}

/** Sends schema-driven requests to a sandbox of its own, and returns what has no reason; undefined without Python. */
export async function testProperties(campaign: Campaign): Promise<Findings | undefined> {
  const tools = await pythonTools();
  if (tools === undefined) return undefined;
  const sandbox = await startExampleShop();
  const folder = mkdtempSync(join(tmpdir(), 'tillstack-properties-'));
  try {
    return await runTester({ tools, url: sandbox.url, folder }, campaign);
  } finally {
    rmSync(folder, { recursive: true });
    await sandbox.stop();
  }
}

interface Place {
  tools: string;
  url: string;
  folder: string;
}

async function runTester({ tools, url, folder }: Place, campaign: Campaign): Promise<Findings> {
  const report = join(folder, 'report.json');
  const drawn = ['--seed', String(campaign.seed), '-n', String(campaign.perOperation), '--phases', campaign.phases];
  const told = ['--report', 'json', '--report-json-path', report, '--no-color', '--suppress-health-check', 'all'];
  const key = ['-H', `Authorization: Bearer ${localKey}`];
  const how = [
    '--checks',
    checks.join(','),
    '--workers',
    '1',
    '--continue-on-failure',
    '--no-shrink',
    '--warnings',
    'off',
  ];
  const child = spawn(join(tools, 'st'), ['run', `${url}/openapi.json`, ...key, ...how, ...drawn, ...told], {
    cwd: folder,
    env: {
      ...process.env,
      PYTHONPATH: fileURLToPath(new URL('.', import.meta.url)),
      PYTHONDONTWRITEBYTECODE: '1',
      SCHEMATHESIS_HOOKS: 'known_findings',
      SEEN_FINDINGS: join(folder, 'seen'),
    },
    stdio: ['ignore', campaign.isLoud ? 'inherit' : 'ignore', 'inherit'],
  });
  await once(child, 'close');
  const { test_cases: cases, failures, errors } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const found = failures.flatMap(({ code, title, operations }) =>
    operations.map((name) => `${code} ${title}: ${name}`),
  );
  return { cases: cases.generated, unexplained: [...found, ...errors.map((error) => JSON.stringify(error))] };
}
