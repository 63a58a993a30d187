import { loadMerchantConfig } from '../merchant-config.ts';
import { merchantsOption, stackOptions, stageOf } from './find-table.ts';
import type { Options, ProgramCommand, TypedWords } from './kit/command.ts';
import { type Program, programOf, runProgram, type Surroundings } from './kit/program.ts';
import { type Terminal, terminal } from './kit/terminal.ts';
import { readCapacity } from './ops/capacity.ts';
import { checkStage } from './ops/check.ts';
import { cleanUp } from './ops/clean.ts';
import { type OpsContext, type OpsReport, openClients } from './ops/context.ts';
import { followId } from './ops/follow.ts';
import { readLogs } from './ops/logs.ts';
import { listArns, listOutputs } from './ops/parts.ts';
import { purgeFailures, queueNames } from './ops/queues.ts';
import { readStatus } from './ops/status.ts';
import { startMoney, stopMoney } from './ops/stop-start.ts';

/** Makes a command with its help. */
const command = (
  name: string,
  summary: string,
  run: (context: OpsContext) => Promise<OpsReport>,
  more: { takes?: readonly string[]; options?: Options } = {},
): ProgramCommand<OpsContext> => ({
  name,
  summary,
  ...more,
  examples: [[name, ...(more.takes ?? []), '--merchant demo --stage live'].join(' ')],
  run: async (_, context) => {
    const { isFine, json, lines } = await run(context);
    return { text: lines.join('\n'), json, isFine };
  },
});

const since = { value: '<span>', help: 'how far back: 30m, 6h, 7d' };
const yes = { help: 'does it; without it, the command says what it would do' };

const commands = [
  command('check', "Says what the merchant's file and the account lack before a deployment.", checkStage),
  command(
    'status',
    'Says the version, and whether functions, schedules, queues, alarms and the table are well.',
    readStatus,
  ),
  command('capacity', 'Says how many buyers a second the stage serves, and which limit comes first.', readCapacity),
  command('stop', 'Stops everything that takes or returns money or issues documents.', stopMoney, {
    options: { everything: { help: 'stops settling, too' } },
  }),
  command('start', 'Starts what "stop" has stopped.', startMoney),
  command('logs', 'Shows the lines of the log.', readLogs, {
    options: {
      since,
      errors: { help: 'only errors' },
      find: { value: '<text>', help: 'only lines with this, such as pay_…' },
      function: { value: '<name>', help: 'only of this function, such as create-refund' },
    },
  }),
  command('follow', 'Shows every line on a payment, session, refund or event, of all functions.', followId, {
    takes: ['<id>'],
    options: { since },
  }),
  command('outputs', 'Shows the address, the table and the bucket.', listOutputs),
  command('arns', 'Shows the ARN of every function, log group, queue, rule, alarm and role.', listArns),
  command('purge', 'Removes every message of a queue.', purgeFailures, {
    options: { queue: { value: '<queue>', help: 'the queue', choices: queueNames }, yes },
  }),
  command('clean', 'Removes what a first deployment that failed has left behind.', cleanUp, { options: { yes } }),
];

function contextOf(typed: TypedWords): OpsContext {
  const stage = stageOf(typed);
  const config = loadMerchantConfig(typed.needed('merchant'), typed.text('merchants'));
  const settings = config.stages[stage];
  const stackName = `tillstack-${config.merchant.id}-${stage}`;
  const options = {
    yes: typed.flag('yes'),
    everything: typed.flag('everything'),
    errors: typed.flag('errors'),
    since: typed.text('since'),
    id: typed.words[0],
    find: typed.text('find'),
    function: typed.text('function'),
    queue: typed.text('queue'),
  };
  return { config, stage, settings, stackName, clients: openClients(settings.region), options };
}

const opsProgram: Program<OpsContext, Surroundings> = programOf({
  name: 'tillstack-ops',
  file: import.meta.filename,
  invocation: 'npm run ops --',
  about: "Looks after a merchant's stack. docs/runbook.md says when to use which command.",
  notes: `The region is that of the stage in the merchant's file, else the environment's. AWS credentials come from the environment, as for the AWS CLI.
Exit codes: 0 all is well, 1 something is wrong or failed, 2 the command line is not valid.`,
  options: { ...stackOptions, ...merchantsOption },
  commands,
  open: contextOf,
});

/** Runs `npm run ops -- …` and returns its exit code. */
export const runOps = (args: readonly string[], to: Terminal): Promise<number> =>
  runProgram(opsProgram, args, { terminal: to });

if (import.meta.main) process.exitCode = await runOps(process.argv.slice(2), terminal);
