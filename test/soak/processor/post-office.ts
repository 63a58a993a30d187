import type { FakeStripe } from '../../../infra/local/stripe/fake-stripe.ts';
import { between, inTurn } from '../../support/seeded.ts';
import type { ApiAnswer } from '../../support/shop/api.ts';
import { minuteMs } from './simulated-time.ts';

interface Letter {
  body: string;
  type: string;
  /** The number of the event. */
  serial: number;
  /** What it is about. */
  subject: string;
  dueAt: number;
  attempts: number;
}

/** Stripe repeats for three days what was not accepted. */
const repeatedAfterMinutes = [1, 5, 30, 120, 300, 600, 1_200, 2_400];

/** Kinds that the return page or the sweep replace, so that one may be lost for ever. */
const mayBeLost = ['checkout.session.completed', 'checkout.session.expired', 'refund.created', 'charge.updated'];

export interface PostOfficeOptions {
  fake: FakeStripe;
  random: () => number;
  now: () => number;
  count: (what: string) => void;
  deliver: (body: string, signature: string) => Promise<ApiAnswer | undefined>;
  /** Whether all letters are delivered at once from now on, without losses, delays and repetitions. */
  isHealed: () => boolean;
  isLate: (subject: string) => boolean;
}

/** Carries the notifications: it loses, delays, doubles and mixes them, and repeats what was not accepted. */
export class PostOffice {
  #letters: Letter[] = [];
  #collected = 0;
  readonly #newest = new Map<string, number>();
  readonly #options: PostOfficeOptions;

  constructor(options: PostOfficeOptions) {
    this.#options = options;
    options.fake.notifications.habit = 'never';
  }

  get waiting(): number {
    this.#collect();
    return this.#letters.length;
  }

  #collect(): void {
    const { events } = this.#options.fake.notifications;
    for (; this.#collected < events.length; this.#collected += 1) {
      const event = events[this.#collected] as Record<string, unknown> & {
        type: string;
        data: { object: { id: string } };
      };
      this.#post(event.type, event.data.object.id, JSON.stringify(event));
    }
  }

  #post(type: string, subject: string, body: string): void {
    const { random, now, count, isHealed, isLate } = this.#options;
    count('notifications');
    const letter = { body, type, subject, serial: this.#collected, dueAt: now(), attempts: 0 };
    if (isHealed()) {
      this.#letters.push(letter);
      return;
    }
    const dice = random();
    if (dice < 0.12 && mayBeLost.includes(type) && !isLate(subject)) {
      count('notifications lost for ever');
      return;
    }
    if (dice < 0.25) {
      count('notifications delayed');
      letter.dueAt += between(random, 2, 180) * minuteMs;
    }
    this.#letters.push(letter);
    if (dice < 0.85) return;
    count('notifications doubled');
    this.#letters.push({ ...letter, dueAt: letter.dueAt + between(random, 0, 1) * between(random, 1, 60) * minuteMs });
  }

  /** Delivers what is due, in any order and some at the same time. */
  async deliver(): Promise<void> {
    this.#collect();
    const { now, random } = this.#options;
    const due = this.#letters.filter(({ dueAt }) => dueAt <= now());
    this.#letters = this.#letters.filter(({ dueAt }) => dueAt > now());
    const mixed = due.map((letter) => ({ letter, key: random() })).sort((a, b) => a.key - b.key);
    await inTurn(mixed, 4, ({ letter }) => this.#carry(letter));
  }

  async #carry(letter: Letter): Promise<void> {
    const { fake, random, count, deliver, isHealed } = this.#options;
    if (!isHealed() && random() < 0.08) {
      count('notifications dropped on the way');
      return this.#repeat(letter);
    }
    if ((this.#newest.get(letter.subject) ?? 0) > letter.serial) count('notifications out of order');
    this.#newest.set(letter.subject, Math.max(letter.serial, this.#newest.get(letter.subject) ?? 0));
    const answer = await deliver(letter.body, fake.notifications.sign(letter.body));
    if (answer?.status === 200) return;
    count(answer ? `notifications answered ${answer.status}` : 'notifications whose function died');
    this.#repeat(letter);
  }

  #repeat(letter: Letter): void {
    const minutes = repeatedAfterMinutes[letter.attempts];
    if (minutes === undefined) {
      this.#options.count('notifications given up by Stripe');
      return;
    }
    const dueAt = this.#options.now() + minutes * minuteMs;
    this.#letters.push({ ...letter, attempts: letter.attempts + 1, dueAt });
  }
}
