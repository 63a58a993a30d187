import type * as z from 'zod';
import type { webhookAnswers } from '../../../../shared/wire/webhooks/webhook-answer.ts';
import type { ApiCaller } from '../api.ts';

type EventPage = z.infer<typeof webhookAnswers.EventPage>;
type EventItem = EventPage['items'][number];

/** An event with its body, as an endpoint gets it. */
export type FeedEvent = z.infer<typeof webhookAnswers.Event>;

/**
 * How far back each poll reads. An event has the time at which its change began, but can be read only after the commit.
 * So an earlier event can appear after a later one.
 */
const overlapMs = 120_000;
const pageSize = 100;

type Reader = Pick<ApiCaller, 'get'>;

/**
 * Reads the new events of a stack, each only once. Their order is the order in which they happened, as far as that is
 * known.
 */
export class EventFeed {
  readonly #seen = new Map<string, number>();
  /** The time of the newest event that was read; undefined if there is none yet. */
  #newest: number | undefined;

  /** Starts after the events that exist now, or at `since`. This machine’s clock is not used. */
  async begin(api: Reader, since: string | undefined): Promise<void> {
    if (since !== undefined) {
      this.#newest = Date.parse(since) + overlapMs;
      return;
    }
    for (const item of await this.#look(api)) this.#note(item);
  }

  /** Passes on the events since the last poll. An event counts as read only when `take` has finished. */
  async next(api: Reader, take: (event: FeedEvent) => Promise<void>): Promise<void> {
    const fresh = (await this.#look(api)).filter(({ event_id }) => !this.#seen.has(event_id));
    for (const item of fresh.toReversed()) {
      await take(await api.get<FeedEvent>(`/webhook-events/${item.event_id}`));
      this.#note(item);
    }
    this.#forget();
  }

  /** Events of the overlap period and later, newest first. If no event was read yet, it is only the newest page. */
  async #look(api: Reader): Promise<EventItem[]> {
    const found: EventItem[] = [];
    const from = this.#newest === undefined ? undefined : new Date(this.#newest - overlapMs).toISOString();
    let cursor: string | null = 'start';
    while (cursor !== null) {
      const query = { cursor, page_size: pageSize, created_at_gte: from };
      const page: EventPage = await api.get<EventPage>('/webhook-events', query);
      found.push(...page.items);
      cursor = page.has_more && !this.#isEnough(found) ? page.next_cursor : null;
    }
    return found;
  }

  /**
   * Whether enough events were found. If no event is known yet, the newest event and one overlap before it are enough.
   */
  #isEnough(found: readonly EventItem[]): boolean {
    if (this.#newest !== undefined) return false;
    const [first, last] = [found[0], found.at(-1)];
    return (
      first !== undefined && last !== undefined && Date.parse(last.timestamp) < Date.parse(first.timestamp) - overlapMs
    );
  }

  #note({ event_id, timestamp }: EventItem): void {
    const time = Date.parse(timestamp);
    this.#seen.set(event_id, time);
    this.#newest = Math.max(this.#newest ?? time, time);
  }

  /** Forgets events that later polls do not return any more. */
  #forget(): void {
    for (const [id, time] of this.#seen) if (time < (this.#newest ?? 0) - overlapMs) this.#seen.delete(id);
  }
}
