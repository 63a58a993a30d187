import * as z from 'zod';
import { appSchemeOf } from '../domain/return-address.ts';
import * as sentences from '../domain/rules/rule-sentences.ts';
import { hasUserInfo } from '../domain/user-info.ts';
import { says } from './says.ts';
import { emailAddress, text, withoutCard } from './text/texts.ts';

export const EmailAddress = emailAddress();

/**
 * Whether a phone number has a possible length. E.164 allows 15 digits, and an international prefix such as 00 adds
 * two.
 */
const hasPlausibleLength = ({ length }: string): boolean => length >= 4 && length <= 17;

/** A phone number, with or without a country code. Spaces, brackets and similar characters stay as typed. */
export const PhoneNumber = text(0, 40).refine(
  (value) => value === '' || (/^\+?[\d\s()./-]+$/.test(value) && hasPlausibleLength(value.replace(/\D/g, ''))),
  says(sentences.phone),
);

/** A web address, whose length is checked before it is parsed. Card numbers are found even if they are encoded. */
export const addressText = withoutCard(
  z.string().max(2048, { ...says(sentences.too_long, { most: 2048 }), abort: true }),
);

// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are refused
const unwritable = /[\u0000-\u0020\\\u007F]/;

/** An address for a browser: https, or http to this machine in a sandbox, without credentials. */
export const browserUrl = addressText
  .refine((value) => isPlainUrl(value), says(sentences.plain_address))
  .meta({ format: 'uri' });

/** An address for a browser, or a link into an app. Whether the merchant allows it is checked later. */
export const returnAddressText = addressText.refine(
  (value) => isPlainUrl(value) || isPlainAppLink(value),
  says(sentences.return_address),
);

const isPlainAppLink = (value: string): boolean => !unwritable.test(value) && appSchemeOf(value) !== undefined;

function isPlainUrl(value: string): boolean {
  if (unwritable.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  const isLocal = url.protocol === 'http:' && (url.hostname === 'localhost' || url.hostname === '127.0.0.1');
  return (url.protocol === 'https:' || isLocal) && !hasUserInfo(value) && /^https?:\/\/[^/]/i.test(value);
}
