import type { Locale } from '../../../pages/locale.ts';
import { type Dictionary, type Texts, textsOf } from '../texts.ts';
import { webhooksDe } from './de.ts';
import { type WebhooksKey, webhooksEn } from './en.ts';
import { webhooksEs } from './es.ts';
import { webhooksFr } from './fr.ts';

export const webhooksDictionary: Dictionary<WebhooksKey> = {
  en: webhooksEn,
  de: webhooksDe,
  fr: webhooksFr,
  es: webhooksEs,
};

export type WebhooksTexts = Texts<WebhooksKey>;

export const webhooksTexts = ({ locale }: { locale: Locale }): WebhooksTexts => textsOf(webhooksDictionary, locale);
