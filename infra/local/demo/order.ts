/** The content of an order's page, as a browser gets it. */
export interface OrderOnPage {
  /** The buttons of the files, in the order of the page. */
  files: readonly FileButton[];
  /** The licence key; undefined if the page shows none. */
  licenseKey: string | undefined;
}

export interface FileButton {
  url: string;
  token: string;
}

const form = /action="([^"]*\/downloads\/[^"]+)">\s*<input type="hidden" name="token" value="([^"]+)">/g;
const key = /<code class="key"[^>]*>([^<]+)<\/code>/;

/** Follows the link of an order. It sets a cookie and redirects to the address without the secret. */
export async function openOrder(orderUrl: string): Promise<OrderOnPage> {
  const entered = await fetch(orderUrl, { redirect: 'manual' });
  const cookie = entered.headers.getSetCookie().map((one) => one.split(';')[0]);
  const clean = new URL(entered.headers.get('location') ?? '', orderUrl);
  const page = await (await fetch(clean, { headers: { cookie: cookie.join('; ') } })).text();
  const files = [...page.matchAll(form)].map(([, action = '', token = '']) => ({
    url: new URL(action.replaceAll('&amp;', '&'), clean).href,
    token,
  }));
  return { files, licenseKey: key.exec(page)?.[1] };
}

/** Presses the button of a file, and returns its bytes. Undefined if there is no button, or if the page refuses. */
export async function pressButton(button: FileButton | undefined): Promise<Buffer | undefined> {
  if (!button) return undefined;
  const { url, token } = button;
  const headers = { 'sec-fetch-site': 'same-origin' };
  const pressed = await fetch(url, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ token }),
    redirect: 'manual',
  });
  if (pressed.status !== 303) return undefined;
  const file = await fetch(pressed.headers.get('location') ?? '');
  return file.ok ? Buffer.from(await file.arrayBuffer()) : undefined;
}

/** Activates a licence key on a device, like a program. Returns the status of the answer. */
export async function activate(site: string, licenseKey: string | undefined, name: string): Promise<number> {
  const { status } = await fetch(`${site}/licenses/activate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ license_key: licenseKey ?? 'none', name }),
  });
  return status;
}
