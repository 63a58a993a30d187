import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { notFound } from '../../domain/errors.ts';
import { type MailNote, mailStateOf } from '../../domain/orders/mail-notes.ts';
import { type OrderLinked, orderUrl } from '../../domain/orders/order-link.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { textField } from '../../pages/fields.ts';
import { seeOther } from '../../pages/headers.ts';
import { type Html, html } from '../../pages/html.ts';
import type { DocumentStore } from '../../store/documents/document-store.ts';
import { keys } from '../../store/keys.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import {
  type Corrected,
  type CorrectOrderAddressDeps,
  correctOrderAddress,
} from '../../use-cases/orders/correct-order-address.ts';
import { replaceOrderLink } from '../../use-cases/orders/replace-order-link.ts';
import { type SentAgain, sendPurchaseMail } from '../../use-cases/orders/send-purchase-mail.ts';
import { EmailAddress } from '../../wire/addresses.ts';
import type { DashboardRoutes } from '../dashboard.ts';
import { time } from '../dates.ts';
import { dashboardAnswer, type Frame, frameOf, may } from '../frame.ts';
import { actionButton, card, copyField, facts, formKeys, guarded } from '../parts.ts';
import { mailDetails } from '../payments/mail-words.ts';
import { type Texts, textsOf } from '../texts.ts';
import type { Visit } from '../visit.ts';

interface OrderPagesDeps extends CorrectOrderAddressDeps {
  publicUrl: string;
  /** The address to which an order belongs now. */
  currentAddress: (payment: Payment) => Promise<string>;
  /** The stack's own secret; undefined if it was never needed yet. */
  findStackSecret: () => Promise<string | undefined>;
}

const section = '/dashboard/payments';
const pathOf = ({ id }: Pick<Payment, 'id'>): string => `${section}/${id}/order`;
const commands = dashboardCommands.orders;
const good = ['sent', 'replaced', 'corrected'];
type Said = SentAgain | Corrected | 'replaced' | 'invalid';
const outcomes: readonly Said[] = [
  'sent',
  'refused',
  'failed',
  'early',
  'often',
  'replaced',
  'corrected',
  'same',
  'invalid',
];

interface OrderPageView {
  payment: Payment;
  /** The address that gets the mails about the order now. */
  address: string;
  /** The buyer's link, for a viewer with write access. Undefined if no link was ever made. */
  url: string | undefined;
  mail: Awaited<ReturnType<DocumentStore['find']>>['mail'];
  canMail: boolean;
  said: Said | undefined;
}

/** The page about the order link and the mail of a payment. Opening it writes nothing. */
export const orderPages = (deps: OrderPagesDeps): DashboardRoutes<typeof commands> => ({
  needs: ({ param }) => [keys.payment(param('id'))],
  show: async (visit) => {
    const payment = await deps.payments.get(visit.request.param('id'));
    if (payment.status !== 'succeeded') throw notFound('order', payment.id);
    const { mail } = await deps.documents.find(payment.id);
    const said = outcomes.find((outcome) => outcome === visit.request.query('said'));
    const canMail = deps.mailer !== undefined && payment.erasedAt === undefined;
    const [address, url] = await Promise.all([deps.currentAddress(payment), linkFor(deps, visit, payment)]);
    return orderPage(frameOf(visit), { payment, address, mail, canMail, said, url });
  },
  forms: {
    commands,
    run: {
      send: ({ request, once }) => {
        const id = request.param('id');
        return once(
          (claim) => sendPurchaseMail(deps, id, claim),
          (said) => `${pathOf({ id })}?said=${said}`,
        );
      },
      replace: async ({ request, once }) => {
        const id = request.param('id');
        await deps.orderUrl({ id }); // The stack may have no secret yet. Then this call creates it.
        return once(
          (claim) => replaceOrderLink(deps, id, claim),
          () => `${pathOf({ id })}?said=replaced`,
        );
      },
      correct: ({ request, form, once }) => {
        const id = request.param('id');
        const email = EmailAddress.safeParse(form.text('email')).data;
        if (email === undefined) return seeOther(`${pathOf({ id })}?said=invalid`);
        return once(
          (claim) => correctOrderAddress(deps, { paymentId: id, email }, claim),
          (said) => `${pathOf({ id })}?said=${said}`,
        );
      },
    },
  },
});

async function linkFor(
  { findStackSecret, publicUrl }: OrderPagesDeps,
  { viewer }: Visit,
  payment: OrderLinked,
): Promise<string | undefined> {
  if (!may({ viewer }, commands.replace)) return undefined;
  const secret = await findStackSecret();
  return secret && orderUrl(publicUrl, payment, secret);
}

function orderPage(frame: Frame, { payment, address, url, mail, canMail, said }: OrderPageView) {
  const t = textsOf(dashboardTexts('payment'), frame);
  const to = pathOf(payment);
  const above = { href: `${section}/${payment.id}`, label: t('payment') };
  const state = mailStateOf(mail.notes);
  const details = state && mailDetails(state, t);
  const main = html`${said && html`<p class="note ${good.includes(said) ? 'done' : 'wait'}" role="status">${t(`order.said.${said}`)}</p>`}
${card(
  { name: 'mail', title: t('order.mail') },
  html`${facts([
    [t('email'), address],
    [t('status'), stateText(state, t)],
  ])}
${details && html`<p class="note wait">${details}</p>`}
${canMail ? html`<div class="submit">${actionButton(frame, { to, action: 'send', needs: commands.send, label: t('order.send') })}</div>` : html`<p class="hint">${t('order.unmailed')}</p>`}`,
)}
${
  url !== undefined &&
  card(
    { name: 'link', title: t('order.link') },
    html`<p class="hint">${t('order.link.text')}</p>
${copyField('order-link', t('order.link'), url, t)}`,
  )
}
${may(frame, commands.correct) && payment.erasedAt === undefined && correctCard(frame, to, t)}
${may(frame, commands.replace) && card({}, guarded(frame, t('order.replace'), t('order.replace.text'), { to, action: 'replace', needs: commands.replace, label: t('order.replace') }))}`;
  return dashboardAnswer(frame, { title: t('order.title'), section, above, main });
}

const stateText = (state: MailNote | undefined, t: Texts<TextKey<'payment'>>): Html | string =>
  state ? html`${t(`order.state.${state.what}`)} ${time(state.at, t.locale)}` : t('order.state.none');

const correctCard = (frame: Frame, to: string, t: Texts<TextKey<'payment'>>): Html =>
  card(
    { name: 'correct', title: t('order.correct') },
    html`<form method="post" action="${to}">${formKeys(frame)}
${textField({ id: 'email', name: 'email', label: t('email'), value: '', type: 'email', isRequired: true, maxLength: 254, hint: t('order.correct.text') })}
<p class="submit"><button class="second" name="action" value="correct">${t('order.correct')}</button></p></form>`,
  );
