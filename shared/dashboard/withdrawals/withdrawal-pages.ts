import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { DomainError, refuse } from '../../domain/errors.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import { sum } from '../../domain/money/money.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { declarationLimits } from '../../domain/withdrawal/declaration.ts';
import type { Proposal } from '../../domain/withdrawal/proposal.ts';
import { isClosed, type Withdrawal, withdrawalRefusals } from '../../domain/withdrawal/withdrawal-case.ts';
import { env } from '../../env.ts';
import type { Page } from '../../http/page.ts';
import { parseAmount } from '../../pages/amount-input.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import {
  type DecideDeps,
  type DecidedLine,
  type DecisionRequest,
  decideWithdrawal,
  type ProposeDeps,
  proposeDecision,
} from '../../use-cases/withdrawal/decide-withdrawal.ts';
import { type EnterDeps, enterWithdrawal } from '../../use-cases/withdrawal/enter-withdrawal.ts';
import {
  type ListedWithdrawal,
  listWithdrawals,
  type SearchWithdrawalsDeps,
  searchWithdrawals,
} from '../../use-cases/withdrawal/list-withdrawals.ts';
import { type MatchDeps, matchWithdrawal } from '../../use-cases/withdrawal/match-withdrawal.ts';
import { isDay } from '../calendar-day.ts';
import { type DashboardRoutes, unlessRefused } from '../dashboard.ts';
import { faultText } from '../form-faults.ts';
import { frameOf } from '../frame.ts';
import { listView } from '../list-view.ts';
import { csvPage } from '../report-csv.ts';
import { textsOf } from '../texts.ts';
import type { FormSubmission, Visit } from '../visit.ts';
import type { LineRefund } from './decide-forms.ts';
import { proposedText } from './proposal-card.ts';
import { newEntry, withdrawalListPage } from './withdrawal-list-page.ts';
import { withdrawalPage } from './withdrawal-page.ts';
import { withdrawalsCsv } from './withdrawals-csv.ts';

interface WithdrawalPagesDeps extends DecideDeps, Omit<SearchWithdrawalsDeps, 'withdrawals'> {
  withdrawals: SearchWithdrawalsDeps['withdrawals'] & DecideDeps['withdrawals'] & EnterDeps['withdrawals'];
  payments: DecideDeps['payments'] & ProposeDeps['payments'];
  supplyOf: ProposeDeps['supplyOf'];
  newId: DecideDeps['newId'] & MatchDeps['newId'];
}

const section = '/dashboard/withdrawals';
const pathOf = (id: string): string => `${section}/${id}`;
/** The most characters of a note to a buyer. */
const longestNote = 1_000;
/** The most withdrawals in one file. */
const mostInFile = 1_000;

/** The list of withdrawals with their deadlines, and a page of each on which a person decides. */
export const withdrawalPages = (deps: WithdrawalPagesDeps): DashboardRoutes<typeof dashboardCommands.withdrawals> => ({
  show: (visit) => {
    const id = visit.request.param('id');
    return id === '' ? showList(deps, visit, {}) : showOne(deps, visit, id);
  },
  forms: {
    commands: dashboardCommands.withdrawals,
    run: {
      confirm: (submission) => confirm(deps, submission),
      refund: (submission) => refundByHand(deps, submission),
      refuse: (submission) =>
        decide(deps, submission, async (id) => ({
          ...withNote(submission, id, 'refuse'),
          reason: reasonOf(submission),
        })),
      end: (submission) => decide(deps, submission, async (id) => withNote(submission, id, 'end')),
      close: (submission) => decide(deps, submission, async (id) => withNote(submission, id, 'close')),
      match: (submission) => match(deps, submission),
      enter: (submission) => enter(deps, submission),
    },
  },
});

const states = ['open', 'decided'] as const;
/** The states that each filter shows. If a refund has failed, the withdrawal waits for another decision. */
const statusesOf = { open: ['declared', 'refund_failed'], decided: ['decided'] } as const;

/** How many searches one file may take. Each looks through thousands of withdrawals. */
const mostSearches = 3;

type Find = (request: ItemPageRequest) => Promise<ItemPage<ListedWithdrawal>>;

/** Withdrawals for one file: it goes on where a search has stopped at its limit. */
async function upTo(size: number, find: Find, request: ItemPageRequest): Promise<ItemPage<ListedWithdrawal>> {
  const items: ListedWithdrawal[] = [];
  let page = await find({ ...request, size });
  items.push(...page.items);
  for (let searches = 1; page.hasMore && items.length < size && searches < mostSearches; searches += 1) {
    page = await find({ ...request, size: size - items.length, after: page.last });
    items.push(...page.items);
  }
  return { ...page, items };
}

async function showList(
  deps: WithdrawalPagesDeps,
  visit: Visit,
  { entry = newEntry, fault }: { entry?: typeof newEntry; fault?: string },
): Promise<Page> {
  const t = textsOf(dashboardTexts('withdrawals'), visit);
  const state = states.find((one) => one === visit.request.query('state'));
  const email = (visit.request.query('email') ?? '').trim().slice(0, declarationLimits.email);
  const statuses = state && statusesOf[state];
  const find = (request: ItemPageRequest) =>
    email === '' ? listWithdrawals(deps, { statuses }, request) : searchWithdrawals(deps, { email, statuses });
  const filters = { ...(state && { state }), ...(email !== '' && { email }) };
  const { request, links } = await listView(visit, section, filters);
  if (visit.request.query('format') === 'csv') {
    const page = await upTo(mostInFile, find, request);
    const { older } = links(page);
    const next = older && t('file.more', { address: `${env.publicUrl()}${older}&format=csv` });
    return csvPage('withdrawals.csv', withdrawalsCsv(page.items, next));
  }
  const page = await find(request);
  const ids = page.items.flatMap(({ current }) => current.paymentId ?? []);
  const sales = await deps.lists.named(ids);
  const view = { withdrawals: page.items, sales, filters, entry, fault, now: deps.now(), ...links(page) };
  return withdrawalListPage(frameOf(visit), view);
}

async function showOne(
  deps: WithdrawalPagesDeps,
  visit: Visit,
  id: string,
  { fault, typed }: { fault?: string; typed?: LineRefund } = {},
): Promise<Page> {
  const proposed = await proposeDecision(deps, id);
  const orderAddress = proposed.payment ? await deps.currentAddress(proposed.payment) : '';
  return withdrawalPage(frameOf(visit), { ...proposed, orderAddress, fault, typed, now: deps.now() });
}

/** The text of a refusal, from the texts of these pages. */
function wordsOf(refusal: DomainError, visit: Visit): string {
  const t = textsOf(dashboardTexts('withdrawals'), visit, dashboardTexts('faults'));
  const known = { payment_id: t('fault.order'), day: t('fault.period'), lines: t('fault.amounts') };
  const [fault] = refusal.details.faults ?? [];
  return (fault && known[fault.path as keyof typeof known]) ?? faultText(refusal, t);
}

/** Decides. If that is impossible, the page is shown again with the reason. */
function decide(
  deps: WithdrawalPagesDeps,
  submission: FormSubmission,
  requestOf: (id: string) => Promise<DecisionRequest>,
): Promise<Page> {
  const { viewer, once } = submission;
  const id = submission.request.param('id');
  return unlessRefused(
    () =>
      once<Withdrawal>(
        async (claim) =>
          decideWithdrawal(deps, { request: await requestOf(id), by: viewer, name: viewer.actor.keyName }, claim),
        () => `${pathOf(id)}?done=decided`,
      ),
    (refusal) => showOne(deps, submission, id, { fault: wordsOf(refusal, submission) }),
  );
}

/** Carries out the proposal that the page has shown, if the proposal is still the same. */
const confirm = (deps: WithdrawalPagesDeps, submission: FormSubmission): Promise<Page> =>
  decide(deps, submission, async (id) => {
    const { proposal } = await proposeDecision(deps, id);
    const request = confirmed(proposal);
    if (!request || submission.form.text('proposed') !== proposedText(proposal))
      throw new DomainError('CONFLICT', 'Something else is proposed now.');
    return { ...withNote(submission, id, request.outcome), ...request };
  });

/** The decision that one click makes. Undefined if a person must choose. */
function confirmed(proposal: Proposal): Pick<DecisionRequest, 'outcome' | 'lines' | 'reason'> | undefined {
  const nothing = { lines: null, reason: null };
  if (proposal.kind === 'full_refund' || proposal.kind === 'part')
    return { ...nothing, outcome: 'refund', lines: proposal.lines.map(({ line, amount }) => ({ line, amount })) };
  if (proposal.kind === 'refused') return { ...nothing, outcome: 'refuse', reason: proposal.reason };
  return proposal.kind === 'nothing_to_pay' ? { ...nothing, outcome: 'end' } : undefined;
}

const withNote = ({ form }: FormSubmission, id: string, outcome: DecisionRequest['outcome']): DecisionRequest => ({
  id,
  outcome,
  lines: null,
  reason: null,
  note: form.text(`note_${form.text('action')}`).slice(0, longestNote) || null,
});

function reasonOf({ form }: FormSubmission): NonNullable<DecisionRequest['reason']> {
  const reason = withdrawalRefusals.find((one) => one === form.text('reason'));
  if (reason) return reason;
  throw refuse('INVALID_REQUEST_BODY', 'reason', 'A refusal needs its reason.');
}

/** Refunds the amounts that a member typed by line, once the member has confirmed their sum. */
async function refundByHand(deps: WithdrawalPagesDeps, submission: FormSubmission): Promise<Page> {
  const { form, request } = submission;
  const id = request.param('id');
  const { current, payment } = await proposeDecision(deps, id);
  return unlessRefused(
    async () => {
      const lines = payment ? typedLines(submission, payment) : [];
      const total = sum(lines.map(({ amount }) => amount));
      const decision = { ...withNote(submission, id, 'refund'), lines };
      if (isClosed(current, payment) || form.text('confirmed') === String(total))
        return decide(deps, submission, async () => decision);
      const amounts = payment?.lines.map((_, line) => form.text(`amount_${line}`)) ?? [];
      return showOne(deps, submission, id, { typed: { amounts, note: decision.note ?? '', sum: total } });
    },
    (refusal) => showOne(deps, submission, id, { fault: wordsOf(refusal, submission) }),
  );
}

function typedLines({ form, locale }: FormSubmission, { lines, currency }: Payment): DecidedLine[] {
  const typed = lines.flatMap((_, line): DecidedLine[] => {
    const text = form.text(`amount_${line}`);
    if (text === '') return [];
    const read = parseAmount(text, currency, locale);
    if ('amount' in read) return [{ line, amount: read.amount }];
    throw refuse('INVALID_REQUEST_BODY', 'lines', 'This is no amount.');
  });
  if (typed.some(({ amount }) => amount > 0)) return typed;
  throw refuse('INVALID_REQUEST_BODY', 'lines', 'A refund needs an amount.');
}

const sendsMail = ({ mailer }: Pick<WithdrawalPagesDeps, 'mailer'>): boolean => mailer !== undefined;

function match(deps: WithdrawalPagesDeps, submission: FormSubmission): Promise<Page> {
  const id = submission.request.param('id');
  const paymentId = submission.form.text('payment_id');
  return unlessRefused(
    () =>
      submission.once<Withdrawal>(
        (claim) => matchWithdrawal({ ...deps, sendsMail: sendsMail(deps) }, { id, paymentId }, claim),
        () => `${pathOf(id)}?done=matched`,
      ),
    (refusal) => showOne(deps, submission, id, { fault: wordsOf(refusal, submission) }),
  );
}

/** Stores a declaration that arrived by post or on the telephone. */
function enter(deps: WithdrawalPagesDeps, submission: FormSubmission): Promise<Page> {
  const { form } = submission;
  const entry = { name: form.text('name'), payment_id: form.text('payment_id'), day: form.text('day') };
  return unlessRefused(
    () => {
      if (!isDay(entry.day)) throw refuse('INVALID_REQUEST_BODY', 'day', 'This is no day.');
      const entered = {
        formToken: form.text('form_id'),
        name: entry.name.slice(0, 250),
        paymentId: entry.payment_id,
        day: entry.day,
      };
      return submission.once<Withdrawal>(
        (claim) => enterWithdrawal({ ...deps, sendsMail: sendsMail(deps) }, entered, claim),
        ({ declaration }) => `${pathOf(declaration.id)}?done=entered`,
      );
    },
    (refusal) => showList(deps, submission, { entry, fault: wordsOf(refusal, submission) }),
  );
}
