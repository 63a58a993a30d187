import type { Mail } from '../domain/mail.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Payment } from '../domain/payments/payment.ts';
import type { Declaration } from '../domain/withdrawal/declaration.ts';
import { decisionOf, type Withdrawal, type WithdrawalDecision } from '../domain/withdrawal/withdrawal-case.ts';
import { formatDate, formatMoney, formatTime } from '../pages/format.ts';
import { findLocale, type Locale } from '../pages/locale.ts';
import { composeMail } from '../pages/mail/compose-mail.ts';
import { isolated } from '../pages/mail/mail-words.ts';
import { withdrawMailTranslator } from '../texts/texts.ts';

interface MailFrame {
  merchant: Pick<Merchant, 'name' | 'address' | 'supportEmail'>;
  isSandbox: boolean;
  /** The sender's address of the receipts. */
  from: string | undefined;
}

const sender = 'receipts@example.com';

/**
 * Makes a text of a stranger harmless, so that no mail program turns it into a link. Addresses lose their dots and
 * signs. The text is shortened to one line, so that a stranger cannot send a message with it.
 */
export const defused = (text: string): string =>
  text.replace(/:\/\//g, ' // ').replace(/(\S)[.@](?=\S)/g, (part) => `${part.slice(0, -1)} ${part.slice(-1)} `);

const mostEchoed = 200;

/**
 * Returns a function that composes the acknowledgement of a declaration: its content, date and time. It says only that
 * the declaration arrived, and is in the language of the page. If the declaration is proven, it contains the order and
 * the chosen lines. Otherwise it contains only what was typed.
 */
export const acknowledgementComposer =
  (frame: MailFrame) =>
  ({ declaration }: Withdrawal, { order, proof }: { order: Payment | undefined; proof: string | null }): Mail => {
    const locale = findLocale(declaration.language) ?? 'en';
    const t = withdrawMailTranslator(locale);
    const moment = momentIn(declaration.receivedAt, locale);
    const { email } = declaration;
    return mailOf(frame, locale, {
      to: email,
      subject: t('mail.subject'),
      lead: t('mail.lead', moment),
      paragraphs: [t('mail.only'), ...(proof === null ? [] : [t('mail.proof')])],
      links: proof === null ? [] : [{ label: t('proof.button'), url: proof }],
      facts: [
        { label: t('mail.declared'), value: t('declares', { merchant: isolated(frame.merchant.name, locale) }) },
        ...(order ? orderFacts(declaration, order, locale) : typedFacts(declaration, locale)),
        { label: t('received'), value: `${moment.date}, ${moment.time}` },
      ],
    });
  };

/**
 * The name, reference and address of a declaration that may be from a stranger. The texts are made harmless, so that
 * nobody can send their own message with this mail.
 */
function typedFacts({ name, reference, email }: Declaration, locale: Locale): Fact[] {
  const t = withdrawMailTranslator(locale);
  const echo = (text: string) => isolated(defused(text), locale, mostEchoed);
  return [
    { label: t('name'), value: echo(name) },
    { label: t('reference'), value: echo(reference) },
    { label: t('email'), value: echo(email) },
  ];
}

/** The facts about the contract: its order, its date, and the names of the lines. */
function orderFacts({ name, lines }: Declaration, order: Payment, locale: Locale): Fact[] {
  const t = withdrawMailTranslator(locale);
  const chosen = order.lines.filter((_, line) => lines === null || lines.includes(line));
  return [
    { label: t('name'), value: isolated(defused(name), locale, mostEchoed) },
    { label: t('order'), value: order.id },
    { label: t('ordered'), value: formatDate(order.createdAt, locale) },
    { label: t('lines.chosen'), value: chosen.map((line) => isolated(line.name, locale, mostEchoed)).join(', ') },
  ];
}

/**
 * Returns a function that composes the mail that asks the address of the order about a declaration that is not proven.
 */
export const noticeComposer =
  (frame: MailFrame) =>
  ({ declaration }: Withdrawal, order: Payment, { proof }: { proof: string }): Mail => {
    const locale = findLocale(order.language ?? undefined) ?? 'en';
    const t = withdrawMailTranslator(locale);
    const merchant = isolated(frame.merchant.name, locale);
    return mailOf(frame, locale, {
      to: order.customer.email,
      subject: t('notice.subject'),
      lead: t('proof.text', { ...momentIn(declaration.receivedAt, locale), merchant }),
      paragraphs: [t('proof.else')],
      links: [{ label: t('proof.button'), url: proof }],
      facts: [{ label: t('order'), value: order.id }],
    });
  };

/** Returns a function that composes the mail with the latest decision about a declaration, and the merchant's note. */
export const replyComposer =
  (frame: MailFrame) =>
  ({ declaration, current }: Withdrawal, refunded: { amount: number; currency: string } | null): Mail => {
    const locale = findLocale(declaration.language) ?? 'en';
    const t = withdrawMailTranslator(locale);
    const merchant = isolated(frame.merchant.name, locale);
    const note = decisionOf(current)?.note ?? null;
    const amount = refunded ? formatMoney(refunded.amount, refunded.currency, locale) : '';
    return mailOf(frame, locale, {
      to: declaration.email,
      subject: t('reply.subject'),
      lead: t('reply.lead', { merchant, date: formatDate(declaration.receivedAt, locale) }),
      paragraphs: [t(`reply.${answerOf(decisionOf(current))}`, { amount })],
      links: [],
      facts: note === null ? [] : [{ label: t('reply.note'), value: isolated(note, locale, 1_000) }],
    });
  };

/** The text that answers a declaration: the one for the refund, or the one for the reason. */
function answerOf(decision: WithdrawalDecision | undefined) {
  if (decision?.refundId) return 'refunded';
  return decision?.outcome === 'closed' ? 'closed' : (decision?.reason ?? 'ended');
}

const momentIn = (at: string, locale: Locale) => ({ date: formatDate(at, locale), time: formatTime(at) });

interface Fact {
  label: string;
  value: string;
}

interface Content {
  to: string;
  subject: string;
  lead: string;
  paragraphs: string[];
  links: { label: string; url: string }[];
  facts: Fact[];
}

function mailOf({ merchant, isSandbox, from }: MailFrame, locale: Locale, { to, ...content }: Content): Mail {
  const t = withdrawMailTranslator(locale);
  const { name, address, supportEmail = null } = merchant;
  return composeMail(
    {
      ...content,
      locale,
      brand: { name },
      preview: content.lead,
      seller: { role: t('seller'), name, lines: address },
      after: [t('mail.reply', { merchant: isolated(name, locale) }), ...(isSandbox ? [t('mail.sandbox')] : [])],
    },
    { from: from ?? sender, to, replyTo: supportEmail },
  );
}
