import type { DeployedStack } from '../stack.ts';
import { expectThat } from './expectation.ts';

/** A browser without JavaScript that is signed in. */
interface Visitor {
  open(path: string): Promise<{ status: number; page: string }>;
  /** Sends a form with the hidden fields of its page. */
  submit(path: string, entries: Record<string, string>): Promise<{ status: number; location: string }>;
}

const hiddenEntries = (page: string): [string, string][] =>
  [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);

function visitorOf({ publicUrl }: DeployedStack): Visitor {
  let cookie = '';
  let last = '';
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    const headers = { 'sec-fetch-site': 'same-origin', 'accept-language': 'en', ...(cookie && { cookie }) };
    const response = await fetch(publicUrl + path, { ...init, headers, redirect: 'manual' });
    const set = response.headers.getSetCookie().map((line) => line.replace(/;.*/, ''));
    if (set.length > 0) cookie = set.join('; ');
    return response;
  };
  return {
    open: async (path) => {
      const response = await send(path, {});
      last = await response.text();
      return { status: response.status, page: last };
    },
    submit: async (path, entries) => {
      const body = new URLSearchParams([...hiddenEntries(last), ...Object.entries(entries)]);
      const response = await send(path, { method: 'POST', body });
      const { status, headers } = response;
      if (status === 200) last = await response.text();
      return { status, location: headers.get('location') ?? '' };
    },
  };
}

/** Signs in to the dashboard with a key, opens its pages, refunds half of the rest of a payment, and signs out. */
export async function expectDashboard(
  stack: DeployedStack,
  { key, paymentId }: { key: string; paymentId: string },
): Promise<void> {
  const visitor = visitorOf(stack);
  await visitor.open('/dashboard/sign-in');
  const signedIn = await visitor.submit('/dashboard/sign-in', { key });
  expectThat('the dashboard lets a key in', signedIn, { status: 303, location: '/dashboard' });
  for (const page of ['', '/payments', '/products', '/customers', '/webhooks', '/tax', '/keys', '/brands', '/returns'])
    expectThat(`/dashboard${page} is shown`, (await visitor.open(`/dashboard${page}`)).status, 200);
  const path = `/dashboard/payments/${paymentId}`;
  await visitor.open(path);
  // 14.99 of 19.99 is not refunded yet.
  const asked = await visitor.submit(path, { action: 'refund', scope: 'half' });
  expectThat('a refund asks once more, with its amount', asked.status, 200);
  const refunded = await visitor.submit(path, { action: 'refund', scope: 'half' });
  expectThat('half of what is left of a payment is refunded there', refunded.status, 303);
  const { page } = await visitor.open(refunded.location || path);
  expectThat('the payment shows the refund of 7.49', page.includes('7.49'), true);
  await visitor.submit('/dashboard/sign-out', {});
  expectThat('who has signed out is led to the sign-in page', (await visitor.open('/dashboard')).status, 303);
}
