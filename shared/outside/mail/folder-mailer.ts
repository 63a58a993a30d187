import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mail, Mailer } from '../../domain/mail.ts';
import { encodedWords, formatAddress, headerText, isPlainAddress } from './headers.ts';
import { sesTags } from './ses-tags.ts';

/** Writes each mail into a folder as an `.eml` file instead of sending it. Every mail program can open the file. */
export function folderMailer(folder: string, { now }: { now: () => Date }): Mailer {
  let count = 0;
  return {
    send: async (mail) => {
      if (!isPlainAddress(mail.to)) return 'refused';
      const date = now();
      count += 1;
      const name = `${date.toISOString().replace(/[:.]/g, '-')}-${process.pid}-${count}.eml`;
      const message = composeMessage(mail, date);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, name), message);
      return 'sent';
    },
  };
}

const boundary = 'tillstack-two-views-of-one-mail';

/** The message in the format of RFC 5322, with ASCII headers, and the text and HTML versions in base64. */
export function composeMessage({ from, to, replyTo, copyTo, subject, text, html, tag }: Mail, date: Date): string {
  const lines = [
    `From: ${formatAddress(from)}`,
    `To: ${to}`,
    ...(replyTo === null || !isPlainAddress(replyTo) ? [] : [`Reply-To: ${replyTo}`]),
    ...(copyTo && isPlainAddress(copyTo) ? [`Bcc: ${copyTo}`] : []),
    `Subject: ${encodedWords(headerText(subject)).join('\r\n ')}`,
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    ...(tag
      ? [
          `X-SES-MESSAGE-TAGS: ${Object.entries(sesTags(tag))
            .map((one) => one.join('='))
            .join(', ')}`,
        ]
      : []),
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    '',
    ...part('text/plain', text),
    ...part('text/html', html),
    `--${boundary}--`,
    '',
  ];
  return lines.join('\r\n');
}

const part = (type: string, content: string): string[] => [
  `--${boundary}`,
  `Content-Type: ${type}; charset=utf-8`,
  'Content-Transfer-Encoding: base64',
  '',
  ...(Buffer.from(content)
    .toString('base64')
    .match(/.{1,76}/g) ?? []),
];
