import { beforeEach, describe, expect, it } from 'vitest';
import type { Mail } from '../../shared/domain/mail.ts';
import type { Payment } from '../../shared/domain/payments/payment.ts';
import type { Declaration } from '../../shared/domain/withdrawal/declaration.ts';
import {
  newCase,
  type Withdrawal,
  type WithdrawalCase,
  withDecision,
  withOrder,
  withProof,
} from '../../shared/domain/withdrawal/withdrawal-case.ts';
import {
  acknowledgeAtOnce,
  hourlyAcknowledgements,
  tellOfWithdrawal,
} from '../../shared/use-cases/withdrawal/acknowledge-withdrawal.ts';
import { replyToWithdrawal } from '../../shared/use-cases/withdrawal/settle-withdrawal.ts';
import { payment as paymentOf, session } from '../pages/builders.ts';

const at = '2026-03-05T10:00:00.000Z';
const order: Payment = {
  ...paymentOf(session()),
  customer: { id: 'cus_1', email: 'Ann@buyer.example', name: 'Ann', phone: null },
};
const typed: Declaration = {
  ...{ id: 'wdr_1', receivedAt: at, source: 'form', name: 'Ann', email: 'stranger@evil.example' },
  ...{ reference: order.id, language: 'en', paymentId: null, lines: null },
};
const byLink: Declaration = { ...typed, source: 'order_link', email: order.customer.email, paymentId: order.id };
const sendsMail = true;
const decision = { outcome: 'refunded' as const, reason: null, note: null, by: 'Ann', at, refundId: 'ref_1' };
const refused = { ...decision, outcome: 'refused' as const, reason: 'late' as const, refundId: null };

let sent: { to: string; about: string }[];
let counts: Map<string, number>;
let saved: { current: WithdrawalCase; dueAt: string | null }[];
let stored: Payment | undefined;
let alerts: object[];
/** Whether the mail service refuses every mail. */
let refuses: boolean;
/** The language of mails that the buyer has chosen, and those in which mails were composed. */
let chosen: string | undefined;
let languages: (string | null)[];
beforeEach(() => {
  alerts = [];
  refuses = false;
  [sent, saved, counts, stored] = [[], [], new Map(), order];
  [chosen, languages] = [undefined, []];
});

/** @param failing the addresses to which no mail can be sent */
const depsOf = (failing: readonly string[] = [], refund: 'succeeded' | 'failed' = 'succeeded') => {
  const mail = (about: string): Mail => ({
    from: { name: 'Shop', address: 'shop@example.com' },
    to: '',
    subject: about,
    text: '',
    html: '',
    replyTo: null,
  });
  return {
    withdrawals: {
      find: async () => undefined,
      save: async (change: { current: WithdrawalCase; dueAt: string | null }) => void saved.push(change),
    },
    payments: {
      find: async () => stored,
      getRefund: async () => ({ status: refund, amount: 1_999, currency: 'EUR' }) as never,
    },
    throttles: {
      seen: async () => 0,
      count: async (hash: string) => {
        counts.set(hash, (counts.get(hash) ?? 0) + 1);
        return counts.get(hash) ?? 0;
      },
    },
    mailer: {
      send: async ({ to, subject }: Mail) => {
        if (failing.includes(to)) throw new Error('The mail service does not answer.');
        sent.push({ to, about: subject });
        return refuses ? ('refused' as const) : ('sent' as const);
      },
    } as never,
    compose: ({ declaration }: Withdrawal, about: { order: Payment | undefined; proof: string | null }) => {
      languages.push(declaration.language);
      return mail(`acknowledgement${about.order ? ' with order' : ''}${about.proof === null ? '' : ' with proof'}`);
    },
    composeNotice: (_: Withdrawal, { language }: Payment, { proof }: { proof: string }) => {
      languages.push(language);
      return mail(`notice ${proof}`);
    },
    composeReply: ({ declaration }: Withdrawal) => {
      languages.push(declaration.language);
      return mail('reply');
    },
    proofUrl: async (id: string, address: string) => `${id} ${address}`,
    chosenLanguage: async () => chosen,
    currentAddress: async ({ customer }: Payment) => customer.email,
    hashOf: (text: string) => text,
    alert: (alert: string, about: object) => void alerts.push({ alert, ...about }),
    now: () => new Date(at),
  };
};

const declared = (declaration: Declaration, matched: string | null = null): Withdrawal => ({
  declaration,
  current: newCase(declaration, matched, { sendsMail }),
});
const last = () => saved.at(-1);

describe('The language of the mails about a withdrawal', () => {
  it('is the one that the buyer of the order has chosen, but not for what a stranger may have typed', async () => {
    chosen = 'fr';
    await tellOfWithdrawal(depsOf(), declared(byLink));
    await tellOfWithdrawal(depsOf(), declared(typed, order.id));
    const answered = {
      ...declared(byLink).current,
      reply: { status: 'due' as const, at: null },
      decisions: [decision],
    };
    await replyToWithdrawal(depsOf(), { declaration: byLink, current: answered });
    expect(languages).toEqual(['fr', typed.language, 'fr', 'fr']);
  });

  it('is that of the page or of the order where the buyer has chosen none', async () => {
    stored = { ...order, language: 'sv' };
    await tellOfWithdrawal(depsOf(), declared(byLink));
    await tellOfWithdrawal(depsOf(), declared(typed, order.id));
    expect(languages).toEqual([byLink.language, typed.language, 'sv']);
  });
});

describe('An acknowledgement that the mail service refuses', () => {
  it('alerts the merchant if the declaration has an order, and never otherwise', async () => {
    await tellOfWithdrawal(depsOf(), declared(byLink));
    expect(alerts).toEqual([]);
    refuses = true;
    await tellOfWithdrawal(depsOf(), declared(typed));
    expect(alerts).toEqual([]);
    expect((await tellOfWithdrawal(depsOf(), declared(byLink))).acknowledgement.status).toBe('refused');
    expect(alerts).toEqual([{ alert: 'withdrawal-unacknowledged', withdrawal_id: byLink.id, payment_id: order.id }]);
  });
});

describe('The question to the order’s own address whether a declaration is real', () => {
  it('is due only for an unproven declaration about an order', () => {
    expect(declared(typed, order.id).current.notice?.status).toBe('due');
    for (const other of [declared(typed), declared(byLink), declared({ ...byLink, source: 'merchant' })])
      expect(other.current.notice).toBeUndefined();
    expect(newCase(typed, order.id, { sendsMail: false }).notice).toBeUndefined();
    expect(withOrder(declared(typed).current, order.id, { at, sendsMail }).notice?.status).toBe('due');
  });

  it('is left to the sweep, so the answer time does not reveal whether an order exists', async () => {
    await acknowledgeAtOnce(depsOf(), declared(typed, order.id));
    expect(sent).toEqual([{ to: typed.email, about: 'acknowledgement' }]);
    expect(last()?.dueAt).toBe(at);
  });

  it('stays due until it is sent, while the acknowledgement is sent once', async () => {
    const withdrawal = declared(typed, order.id);
    await expect(tellOfWithdrawal(depsOf([order.customer.email]), withdrawal)).rejects.toThrow('does not answer');
    const { current, dueAt } = last() ?? {};
    expect([current?.acknowledgement.status, current?.notice?.status, dueAt]).toEqual(['sent', 'due', at]);
    await tellOfWithdrawal(depsOf(), { ...withdrawal, current: current as WithdrawalCase });
    expect(sent.map(({ to }) => to)).toEqual([typed.email, order.customer.email]);
    expect([last()?.current.notice?.status, last()?.dueAt]).toEqual(['sent', null]);
  });

  it('is sent even if the typed address accepts no mail', async () => {
    await expect(tellOfWithdrawal(depsOf([typed.email]), declared(typed, order.id))).rejects.toThrow('not answer');
    expect(sent).toEqual([{ to: order.customer.email, about: `notice wdr_1 ${order.customer.email}` }]);
    expect(last()?.current.acknowledgement.status).toBe('due');
  });

  it('is sent to the address that a member has corrected, and not to the former address', async () => {
    stored = { ...order, customer: { ...order.customer, email: 'new@buyer.example' } };
    await tellOfWithdrawal(depsOf(), declared({ ...typed, email: order.customer.email }, order.id));
    expect(sent).toEqual([
      { to: order.customer.email, about: 'acknowledgement' },
      { to: 'new@buyer.example', about: 'notice wdr_1 new@buyer.example' },
    ]);
  });

  it('is part of the acknowledgement if that goes to the order’s own address', async () => {
    await tellOfWithdrawal(depsOf(), declared({ ...typed, email: 'ann@BUYER.example' }, order.id));
    expect(sent).toEqual([{ to: 'ann@BUYER.example', about: 'acknowledgement with proof' }]);
    expect([last()?.current.notice, last()?.dueAt]).toEqual([undefined, null]);
  });

  it('is not sent for an order without an address, or after a proof', async () => {
    stored = { ...order, customer: { ...order.customer, email: '' } };
    await tellOfWithdrawal(depsOf(), declared(typed, order.id));
    expect(last()?.current.notice?.status).toBe('none');
    expect(withProof(declared(typed, order.id).current, { by: 'mail', at }).notice).toBeUndefined();
  });
});

describe('The acknowledgement of a declaration', () => {
  it('contains the order of a declaration by the order’s link, and otherwise only the typed data', async () => {
    await tellOfWithdrawal(depsOf(), declared(byLink));
    await tellOfWithdrawal(depsOf(), declared(typed, order.id));
    expect(sent.map(({ about }) => about).slice(0, 2)).toEqual(['acknowledgement with order', 'acknowledgement']);
  });

  it('is not sent without an address', () => {
    expect(declared({ ...byLink, email: '' }).current.acknowledgement).toEqual({ status: 'none', at: null });
  });

  it('of a proven declaration is not delayed by many declarations of strangers', async () => {
    for (let index = 0; index < hourlyAcknowledgements.stack.typed + 5; index += 1)
      await tellOfWithdrawal(depsOf(), declared({ ...typed, email: `${index}@evil.example` }, order.id));
    for (let index = 0; index < 9; index += 1)
      await tellOfWithdrawal(depsOf(), declared({ ...typed, email: order.customer.email }));
    expect(sent.filter(({ about }) => about === 'acknowledgement')).toHaveLength(hourlyAcknowledgements.stack.typed);
    sent = [];
    await tellOfWithdrawal(depsOf(), declared(byLink));
    expect(sent).toEqual([{ to: order.customer.email, about: 'acknowledgement with order' }]);
  });

  it('over the hourly limit waits an hour, and other mails do not wait with it', async () => {
    const five = Array.from({ length: 5 }, () => declared(typed));
    for (const one of five) await tellOfWithdrawal(depsOf(), one);
    await tellOfWithdrawal(depsOf(), declared(typed));
    expect(last()).toMatchObject({
      current: { acknowledgement: { status: 'due' } },
      dueAt: '2026-03-05T11:00:00.000Z',
    });
    await acknowledgeAtOnce(depsOf(), declared(typed, order.id));
    expect(last()?.dueAt).toBe(at);
    await tellOfWithdrawal(depsOf(), declared(typed, order.id));
    expect(last()).toMatchObject({ current: { notice: { status: 'sent' } }, dueAt: '2026-03-05T11:00:00.000Z' });
  });
});

describe('The reply to a declaration', () => {
  const decided = (declaration: Declaration, matched: string | null, made: typeof decision | typeof refused) => {
    const { current } = declared(declaration, matched);
    const reply = { status: 'due' as const, at: null };
    return { declaration, current: { ...withDecision(current, made, order), reply } };
  };

  it('goes to the order’s present address, never to the typed address', async () => {
    await replyToWithdrawal(depsOf(), decided(typed, order.id, decision));
    stored = { ...order, customer: { ...order.customer, email: 'new@buyer.example' } };
    await replyToWithdrawal(depsOf(), decided(byLink, null, refused));
    expect(sent.map(({ to }) => to)).toEqual([order.customer.email, 'new@buyer.example']);
  });

  it('goes to the typed address if there is no order', async () => {
    await replyToWithdrawal(depsOf(), decided(typed, null, refused));
    expect(sent.map(({ to }) => to)).toEqual([typed.email]);
  });

  it('is not sent without an address', async () => {
    stored = { ...order, customer: { ...order.customer, email: '' } };
    await replyToWithdrawal(depsOf(), decided(typed, order.id, refused));
    expect([sent, last()?.current.reply?.status, last()?.dueAt ?? null]).toEqual([[], 'none', at]);
  });

  it('announces no refund that has failed', async () => {
    await replyToWithdrawal(depsOf([], 'failed'), decided(typed, order.id, decision));
    expect([sent, last()?.current.reply?.status]).toEqual([[], 'none']);
  });
});
