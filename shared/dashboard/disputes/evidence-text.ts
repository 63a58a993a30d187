import { mailStateOf } from '../../domain/orders/mail-notes.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { countryName } from '../../pages/format.ts';
import type { TextKey } from '../../texts/texts.ts';
import type { DisputeEvidence, UsedGrant } from '../../use-cases/payments/load-dispute-evidence.ts';
import { dayFormat } from '../dates.ts';
import { money } from '../parts.ts';
import type { Texts } from '../texts.ts';

type EvidenceTexts = Texts<TextKey<'evidence'>>;

/** The bank reads these times, so they are in UTC for every merchant. */
const timeText = (at: string, t: EvidenceTexts): string => `${dayFormat('instant', t.locale).format(new Date(at))} UTC`;

/** What was sold, and when and how it reached the buyer. Card processors call this the service documentation. */
export const serviceText = ({ payment, mail, used }: DisputeEvidence, t: EvidenceTexts): string =>
  [
    t('line.sold', {
      names: payment.lines.map(({ name, quantity }) => `${name} × ${quantity}`).join(', '),
      amount: money(payment.gross, payment.currency, t.locale),
      at: timeText(payment.createdAt, t),
    }),
    t('line.payment', { id: payment.id }),
    t('line.buyer', { name: payment.customer.name, email: payment.customer.email }),
    addressText(payment, t),
    mailText(mail, t),
    ...used.map((one) => givenText(one, t)),
  ].join('\n');

/** The country of the address and the country of the card. The country of the IP address is not part of this text. */
function addressText({ evidence }: Payment, t: EvidenceTexts): string {
  const of = (type: string) => evidence.items.find((item) => item.type === type)?.country;
  const [billing, card] = [of('billing_address') ?? '', of('card_country')];
  const places = { billing: countryName(billing, t.locale), card: card ? countryName(card, t.locale) : '' };
  if (!card) return t('line.address.alone', places);
  return t(billing === card ? 'line.address.same' : 'line.address.other', places);
}

function mailText({ notes }: DisputeEvidence['mail'], t: EvidenceTexts): string {
  const state = mailStateOf(notes);
  return state ? t(`line.mail.${state.what}`, { at: timeText(state.at, t) }) : t('line.mail.none');
}

function givenText({ grant }: UsedGrant, t: EvidenceTexts): string {
  const { entitlementName: name, deliveredAt, revocation } = grant;
  if (deliveredAt === null) return t('line.waiting', { name });
  const given = { name, at: timeText(deliveredAt, t) };
  return revocation ? t('line.ended', { ...given, ended: timeText(revocation.at, t) }) : t('line.given', given);
}

/** When the buyer used what was bought. Card processors call this the access activity log. */
export function logText({ used }: DisputeEvidence, t: EvidenceTexts): string {
  const lines = used.flatMap((one) => [...fileLines(one, t), ...deviceLines(one, t)]);
  return lines.length > 0 ? lines.join('\n') : t('log.none');
}

const fileLines = ({ files }: UsedGrant, t: EvidenceTexts): string[] =>
  files.map(({ name: known, use }) => {
    const name = known ?? t('file.removed');
    if (!use) return t('line.file.none', { name });
    const [first, last] = [timeText(use.firstAt, t), timeText(use.lastAt, t)];
    return t.count('line.file', use.count, { name, first, last });
  });

function deviceLines({ grant, devices }: UsedGrant, t: EvidenceTexts): string[] {
  if (grant.licenseKeyId === null) return [];
  const { entitlementName: name } = grant;
  if (devices.length === 0) return [t('line.key.none', { name })];
  return devices.map((device) => t('line.device', { name, device: device.name, at: timeText(device.createdAt, t) }));
}
