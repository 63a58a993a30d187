import { endpoints, eraseSchedule, queueConsumer, reconcileSchedule, sweepSchedule } from '../../endpoints.ts';

const decisive = ['PAYMENT', 'REFUND', 'DOCUMENT'] as const;

const decides = ({ table }: { table: { put?: readonly string[] } }): boolean =>
  decisive.some((entity) => table.put?.includes(entity));

/**
 * The functions through which callers take or return money, or issue a document. They are found by their rights in the
 * route table.
 */
export const moneyFunctions: readonly string[] = endpoints.filter(decides).map((endpoint) => endpoint.function);

/** The function that issues documents from its queue. */
export const documentWorker = queueConsumer.function;

/** The schedules that finish work that was started, by the construct of their rule. */
export const settlingRules: readonly string[] = [
  ...[{ ...sweepSchedule, rule: 'EventsSweep' }],
  ...[{ ...reconcileSchedule, rule: 'EventsReconcile' }],
  ...[{ ...eraseSchedule, rule: 'EventsErase' }],
]
  .filter(decides)
  .map(({ rule }) => rule);

/** An alarm that is raised while the money is stopped, and its section in docs/runbook.md. */
interface RingingAlarm {
  section: string;
  because: string;
}

export const alarmsOfStop: readonly RingingAlarm[] = [
  { section: 'API errors', because: 'if five callers within five minutes get a 503' },
  { section: 'Oldest undone document', because: 'if a document waits for fifteen minutes' },
  { section: 'Money alerts', because: 'if the sweep finds a paid payment whose notification was refused' },
];

export const alarmsOfEverything: readonly RingingAlarm[] = [
  { section: 'Heartbeat', because: 'because the sweep no longer runs' },
];
