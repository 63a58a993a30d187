import { describe, expect, it } from 'vitest';
import type { Frame } from '../../shared/dashboard/frame.ts';
import { logLink } from '../../shared/dashboard/payments/log-link.ts';
import { timelineCard } from '../../shared/dashboard/payments/timeline-card.ts';
import type { Access } from '../../shared/domain/access/access.ts';
import { followQuery } from '../../shared/domain/log-queries.ts';
import { testMerchant } from '../support/shop/api.ts';
import { aPayment } from '../support/shop/payments.ts';
import { aSession } from '../support/shop/sessions.ts';

process.env['MERCHANT'] = JSON.stringify(testMerchant);

const now = new Date('2026-02-01T12:00:00.000Z');
const payment = aPayment([{ unitAmount: 1_190 }]);
const empty = { payment, session: undefined, attempts: [], refunds: [], adjustments: [], events: [] };
const event = (id: string) => ({
  event: { id, type: 'payment.succeeded' as const, occurredAt: '', paymentId: payment.id, sequence: 1 },
  deliveries: [],
});

/** Reads an address as the console does: `~(name~'text~list~(~'text))`, with `*2f` for `/`. */
function detailIn(link: string): Record<string, string | string[]> {
  const [, inner = ''] = /\$3FqueryDetail\$3D~\((.*)\)$/.exec(link) ?? [];
  const text = (quoted: string) =>
    quoted.slice(1).replace(/\*([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const fields = [...inner.matchAll(/(\w+)~('[^~()]*|\(~[^()]*\))/g)];
  expect(fields.map(([field]) => field).join('~')).toBe(inner);
  return Object.fromEntries(
    fields.map(([, name = '', value = '']) => [
      name,
      value.startsWith('(') ? value.slice(2, -1).split('~').map(text) : text(value),
    ]),
  );
}

describe('the link from a payment to its log lines', () => {
  const place = { groups: ['/aws/x/tillstack-demo-live-FunctionLogs0A1B2C3D-x1', 'workers'], region: 'eu-central-1' };

  it('opens the log query for the payment, from the start of its session until now', () => {
    const link = logLink(
      place,
      { ...empty, session: { ...aSession([{ unitAmount: 1_190 }]), createdAt: '2026-01-30T08:00:00.000Z' } },
      now,
    );
    expect(link).toMatch(/^https:\/\/eu-central-1\.console\.aws\.amazon\.com\/cloudwatch\/home\?region=eu-central-1#/);
    expect(detailIn(link)).toEqual({
      end: '2026-02-01T12:00:00.000Z',
      start: '2026-01-30T08:00:00.000Z',
      timeType: 'ABSOLUTE',
      tz: 'UTC',
      editorString: followQuery([payment.id, payment.sessionId]),
      source: place.groups,
      lang: 'CWLI',
      logClass: 'STANDARD',
      queryBy: 'logGroupName',
    });
  });

  it('is encoded in the same way as by the AWS console', () => {
    const link = logLink(place, empty, now);
    expect(link).toContain("logsV2:logs-insights$3FqueryDetail$3D~(end~'2026-02-01T12*3a00*3a00.000Z~start~'");
    expect(link).toContain("~editorString~'fields*20*40timestamp*2c*20*40message*2c");
    expect(link).toContain("~source~(~'*2faws*2fx*2ftillstack-demo-live-FunctionLogs0A1B2C3D-x1~'workers)~lang~'CWLI");
    expect(link).toMatch(/^[\w.\-~()'*#$:/?=]+$/);
  });

  it('includes the newest events, and at most as many ids as fit into a URL', () => {
    const of = (count: number) => Array.from({ length: count }, (_, index) => event(`evt_${index}`));
    const ids = (count: number) =>
      /like \/(.*)\//
        .exec(String(detailIn(logLink(place, { ...empty, events: of(count) }, now))['editorString']))?.[1]
        ?.split('|');
    expect(ids(2)).toEqual([payment.id, payment.sessionId, 'evt_1', 'evt_0']);
    expect(ids(100)).toHaveLength(25);
    expect(logLink(place, { ...empty, events: of(100) }, now).length).toBeLessThan(2_000);
  });

  it.each([
    ['cn-north-1', 'https://console.amazonaws.cn/cloudwatch/home?region=cn-north-1#'],
    ['us-gov-west-1', 'https://us-gov-west-1.console.amazonaws-us-gov.com/cloudwatch/home?region=us-gov-west-1#'],
  ])('uses the AWS console of %s', (region, begins) => {
    expect(logLink({ ...place, region }, empty, now).startsWith(begins)).toBe(true);
  });
});

describe('the timeline of a payment', () => {
  const place = { groups: ['logs'], region: 'eu-central-1' };
  const linkIn = (access: Access, functionLogs: typeof place | undefined, locale: Frame['locale'] = 'en') => {
    const viewer = { access, refunds: null, expiresAt: null, keyName: 'a key', member: null, formToken: 'token' };
    const frame = {
      merchant: 'Example Books',
      isSandbox: true,
      viewer,
      formId: 'form',
      done: undefined,
      locale,
      path: '/',
    };
    const shown = timelineCard(frame, { ...empty, documents: [], endpoints: [], functionLogs, now }).toString();
    const [, href, label] = /<a href="([^"]*logs-insights[^"]*)"[^>]*>(.*?)<\/a>/.exec(shown) ?? [];
    return { href: href?.replaceAll('&#39;', "'"), label };
  };

  it('links administrators to its log lines in AWS', () => {
    expect(linkIn('admin', place).href).toBe(logLink(place, empty, now));
    expect(linkIn('write', place).href).toBeUndefined();
  });

  it('has no link on a local machine, which has no log group', () => {
    expect(linkIn('admin', undefined).href).toBeUndefined();
  });

  it.each(['en', 'de', 'fr', 'es'] as const)('explains that the link needs an AWS account: %s', (locale) => {
    expect(linkIn('admin', place, locale).label).toMatch(/CloudWatch.*AWS/);
  });
});
