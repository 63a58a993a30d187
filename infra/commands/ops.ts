import { parseArgs } from 'node:util';
import { loadMerchantConfig } from '../merchant-config.ts';
import { commandOf, required, stageOf } from './find-table.ts';
import { answerCommandLine, type ExitCode, type Terminal, terminal } from './kit/terminal.ts';
import { checkStage } from './ops/check.ts';
import { cleanUp } from './ops/clean.ts';
import { type OpsDesk, type OpsReport, openClients } from './ops/desk.ts';
import { followId } from './ops/follow.ts';
import { readLogs } from './ops/logs.ts';
import { listArns, listOutputs } from './ops/parts.ts';
import { purgeFailures, queueNames } from './ops/queues.ts';
import { readStatus } from './ops/status.ts';
import { startMoney, stopMoney } from './ops/stop-start.ts';

const usage = `Looks after a merchant's stack. docs/runbook.md says when to use which command.

  npm run ops -- check   --merchant demo --stage live     what the merchant's file and the account lack before a deployment
  npm run ops -- status  --merchant demo --stage live     the version, and whether functions, schedules, queues, alarms and the table are well
  npm run ops -- stop    --merchant demo --stage live     stops everything that takes or returns money or issues documents; --everything: settling too
  npm run ops -- start   --merchant demo --stage live     starts what "stop" has stopped
  npm run ops -- logs    --merchant demo --stage live     --since 1h, --errors, --find pay_…, --function create-refund
  npm run ops -- follow pay_… --merchant demo --stage live   every line on a payment, session, refund or event, of all functions; --since 7d
  npm run ops -- outputs --merchant demo --stage live     the address, the table and the bucket
  npm run ops -- arns    --merchant demo --stage live     the ARN of every function, log group, queue, rule, alarm and role
  npm run ops -- purge   --merchant demo --stage live --queue ${queueNames.join('|')} --yes
  npm run ops -- clean   --merchant demo --stage live --yes   removes what a first deployment that failed has left behind

--json prints the same for programs. --merchants names another directory of merchants.
The region is that of the stage in the merchant's file, else the environment's. AWS credentials come from the environment, as for the AWS CLI.
Exit codes: 0 all is well, 1 something is wrong or failed, 2 the command line is not valid.`;

const options = {
  merchant: { type: 'string' },
  stage: { type: 'string' },
  merchants: { type: 'string' },
  json: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  everything: { type: 'boolean', default: false },
  errors: { type: 'boolean', default: false },
  since: { type: 'string' },
  find: { type: 'string' },
  function: { type: 'string' },
  queue: { type: 'string' },
} as const;

const commands: Readonly<Record<string, (desk: OpsDesk) => Promise<OpsReport>>> = {
  check: checkStage,
  status: readStatus,
  stop: stopMoney,
  start: startMoney,
  logs: readLogs,
  follow: followId,
  outputs: listOutputs,
  arns: listArns,
  purge: purgeFailures,
  clean: cleanUp,
};

function deskOf(typed: ReturnType<typeof parse>['values'], id: string | undefined): OpsDesk {
  const stage = stageOf(typed);
  const config = loadMerchantConfig(required(typed, 'merchant'), typed.merchants);
  const settings = config.stages[stage];
  const stackName = `tillstack-${config.merchant.id}-${stage}`;
  return { config, stage, settings, stackName, clients: openClients(settings.region), options: { ...typed, id } };
}

const parse = (args: string[]) => parseArgs({ args, options, allowPositionals: true });

async function run(args: string[], { out }: Terminal): Promise<boolean> {
  const { positionals, values } = parse(args);
  const [name, id] = positionals;
  const words = name === 'follow' ? positionals.toSpliced(1, 1) : positionals;
  const command = commandOf(commands, words, usage);
  const { isFine, json, lines } = await command(deskOf(values, id));
  out(values.json ? `${JSON.stringify(json, undefined, 2)}\n` : `${lines.join('\n')}\n`);
  return isFine;
}

/** Runs `npm run ops -- …` and returns its exit code. */
export const runOps = (args: string[], to: Terminal): Promise<ExitCode> =>
  answerCommandLine({ args, usage, to }, () => run(args, to));

if (import.meta.main) process.exitCode = await runOps(process.argv.slice(2), terminal);
