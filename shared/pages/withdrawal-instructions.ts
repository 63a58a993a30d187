import type { SupplyKind } from '../domain/withdrawal/supply.ts';
import { instructionsTranslator } from '../texts/texts.ts';
import type { Locale } from './locale.ts';

/** Whom a consumer must inform about a withdrawal, and where the withdrawal function is. */
export interface WithdrawalContact {
  /** The name of the legal seller. */
  seller: string;
  address: readonly string[];
  phone: string | null;
  email: string | null;
  /** The address of the withdrawal function. */
  url: string;
}

/** The instructions as text, for pages, mails and PDFs. */
export interface WithdrawalInstructions {
  parts: { title: string; paragraphs: string[] }[];
  /** The model form, one line in each entry. */
  form: { title: string; lines: string[] };
}

/**
 * The model instructions and the model form of Directive 2011/83/EU, annex I, with the address of the withdrawal
 * function (Directive (EU) 2023/2673). They depend on what is sold: content, services or both.
 */
export function withdrawalInstructions(
  locale: Locale,
  { seller, address, phone, email, url }: WithdrawalContact,
  supplies: readonly SupplyKind[],
): WithdrawalInstructions {
  const t = instructionsTranslator(locale);
  const reached = [phone && t('contact.phone', { phone }), email && t('contact.email', { email })];
  const contact = [seller, ...address, ...reached].filter(Boolean).join(', ');
  const [hasContent, hasService] = [supplies.includes('content'), supplies.includes('service')];
  return {
    parts: [
      {
        title: t('right.title'),
        paragraphs: [
          t('right'),
          t('right.period'),
          t('right.how', { contact }),
          t('right.online', { url }),
          t('right.deadline'),
        ],
      },
      { title: t('effects.title'), paragraphs: [t('effects'), ...(hasService ? [t('effects.service')] : [])] },
      {
        title: t('loss.title'),
        paragraphs: [...(hasContent ? [t('loss.content')] : []), ...(hasService ? [t('loss.service')] : [])],
      },
    ],
    form: {
      title: t('form.title'),
      lines: [
        t('form.hint'),
        t('form.to', { contact }),
        t('form.notice'),
        t('form.ordered'),
        t('form.name'),
        t('form.address'),
        t('form.signature'),
        t('form.date'),
        t('form.delete'),
      ],
    },
  };
}
