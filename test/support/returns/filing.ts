import { expect } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { exportJobs } from '../../../shared/wiring/books.ts';
import { clock } from '../clock.ts';
import type { Api } from '../shop/api.ts';
import { type Browsing, browse, postForm } from '../shop/dashboard.ts';

/** A return that the worker has made, as the merchant downloads it. */
interface MadeReturn {
  id: string;
  /** The rows of its files by the last part of their names, each without its header. */
  files: Record<string, string[]>;
  notes: string[];
  isFileable: boolean;
}

/** A merchant at the page of returns. */
export interface Filing {
  /** Signs in at an instant, because a session has ended by then. */
  at(instant: string): Promise<void>;
  post(path: string, fields: Record<string, string>): ReturnType<typeof postForm>;
  look(path: string, query?: string): Promise<string>;
  make(kind: string, period: { from: string; to: string }): Promise<MadeReturn>;
  file(made: Pick<MadeReturn, 'id'>): Promise<void>;
  /** The page that says why a sale bears its tax. */
  why(paymentId: string): Promise<string>;
}

/** Opens the dashboard for a merchant who files returns. The clock must be stopped. */
export function filingWith(api: Api): Filing {
  let viewer: Browsing | undefined;
  let forms = 0;
  const signedIn = async () => {
    viewer ??= await browse(api, localKey);
    return viewer;
  };
  const post = async (path: string, fields: Record<string, string>) => {
    const { token, cookies } = await signedIn();
    forms += 1;
    clock.forward({ milliseconds: 1_000 });
    return postForm(api, path, { token, form_id: `form${forms}`, ...fields }, cookies);
  };
  const get = async (path: string, query = '') =>
    api.call(`GET ${path}`, { query, cookies: (await signedIn()).cookies, key: null });
  return {
    at: async (instant) => {
      clock.stopAt(instant);
      viewer = undefined;
    },
    post,
    look: async (path, query) => (await get(path, query)).text,
    make: async (kind, period) => {
      const asked = await post('/dashboard/returns', { action: 'create', kind, ...period });
      expect([asked.status, asked.text]).toEqual([303, '']);
      await invokeFunction('accounting/run-exports', {});
      const [job] = await exportJobs().list();
      expect(job).toMatchObject({ kind, status: 'done' });
      const files: MadeReturn['files'] = {};
      for (const { name } of job?.files ?? []) {
        const { headers } = await get('/dashboard/returns', `job=${job?.id}&file=${name}`);
        const text = await (await fetch(headers['location'] ?? '')).text();
        files[/(\w+)\.csv$/.exec(name)?.[1] ?? ''] = text.trimEnd().split('\r\n').slice(1);
      }
      return { id: job?.id ?? '', files, notes: job?.notes ?? [], isFileable: job?.isFileable === true };
    },
    file: async ({ id }) => {
      const { status, text } = await post('/dashboard/returns', { action: 'file', job: id });
      expect([status, text]).toEqual([303, '']);
    },
    why: async (paymentId) => (await get(`/dashboard/payments/${paymentId}`, 'why=true')).text,
  };
}

/** The rows of some sections, which the first cell names. */
export const rowsIn = (rows: readonly string[] = [], ...sections: string[]): string[] =>
  rows.filter((row) => sections.includes(row.split(',')[0] ?? ''));
