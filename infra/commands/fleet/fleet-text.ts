import { tableText } from '../kit/table-text.ts';
import type { StackOutcome } from './deploy.ts';
import type { StackReport } from './status.ts';

const minute = (at: string): string => `${at.slice(0, 16).replace('T', ' ')}Z`;
const listed = (parts: readonly string[], none: string): string => parts.join(', ') || none;

const rowOf = (report: StackReport, hasCost: boolean): string[] => [
  report.stack,
  report.ring,
  [report.version, report.commit].filter((part) => part !== null).join('+') || '-',
  report.state ?? (report.troubles.length > 0 ? 'unreadable' : 'not deployed'),
  report.drift ?? '-',
  listed(report.alarms, '-'),
  report.last_sale ? minute(report.last_sale) : '-',
  listed(report.due, '-'),
  report.go_live.length === 0 ? '-' : `${report.go_live.length} missing`,
  ...(hasCost ? [report.cost ?? 'unknown'] : []),
];

/** A table of all stacks, and below it what needs a person and what live stacks lack. */
export function fleetText(
  reports: readonly StackReport[],
  faults: readonly { message: string }[],
  { hasCost }: { hasCost: boolean },
): string {
  const head = ['stack', 'ring', 'version', 'state', 'drift', 'alarms', 'last sale', 'due', 'go-live'];
  const rows = reports.map((report) => rowOf(report, hasCost));
  const withLines = (title: string, linesOf: (report: StackReport) => readonly string[]) => {
    const lines = reports.flatMap((report) => linesOf(report).map((text) => `  ${report.stack}: ${text}`));
    return lines.length === 0 ? [] : ['', title, ...lines];
  };
  return [
    tableText([...head, ...(hasCost ? ['cost of the month'] : [])], rows),
    ...withLines('Missing before a live stack sells:', ({ go_live }) => go_live),
    ...withLines('In trouble:', ({ troubles }) => troubles),
    ...(faults.length === 0 ? [] : ['', ...faults.map(({ message }) => message)]),
  ].join('\n');
}

interface RolloutTerms {
  version: string;
  stage: string;
  logs: string;
}

/** What to do about a stack that failed. */
function adviceOn({ stack, earlier_version }: StackOutcome, { stage, logs }: RolloutTerms): string[] {
  const merchant = stack.slice('tillstack-'.length, -`-${stage}`.length);
  const commit = earlier_version?.split('+')[1];
  return [
    `  ${stack}: read ${logs}/${stack}.log and "npm run ops -- status --merchant ${merchant} --stage ${stage}".`,
    commit === undefined
      ? '    It had no earlier version that is known.'
      : `    To go back to ${earlier_version}: read "What a step back finds" in docs/releases.md, and deploy from a copy of the file without the settings that it refuses: git checkout ${commit} && npm ci && npx cdk deploy --all -c merchant=${merchant} -c stage=${stage} -c merchants=…`,
  ];
}

/** The end of a deployment: how many are done, or what failed and what to do. */
export function rolloutText(outcomes: readonly StackOutcome[], terms: RolloutTerms): string {
  const of = (result: StackOutcome['result']) => outcomes.filter((outcome) => outcome.result === result);
  const [failed, left] = [of('failed'), of('not begun')];
  if (failed.length === 0)
    return `${outcomes.length} stacks have ${terms.version}: ${of('checked').length} now, ${of('skipped').length} before.`;
  return [
    '',
    `Stopped. Failed: ${failed.length}. Not begun: ${left.length}. With ${terms.version} and checked: ${of('checked').length + of('skipped').length}.`,
    ...failed.map(({ stack, problem }) => `  ${stack}: ${problem}`),
    'What to do:',
    ...failed.flatMap((outcome) => adviceOn(outcome, terms)),
    '  Mended? The same command goes on with the stacks that failed.',
  ].join('\n');
}
