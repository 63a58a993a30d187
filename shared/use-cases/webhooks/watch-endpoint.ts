import { type AttemptOutcome, type Delivery, goneStatus } from '../../domain/webhooks/delivery.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook.ts';
import {
  duePause,
  goodHealth,
  hasFailedForDays,
  isGood,
  pauseOf,
  type WebhookHealth,
} from '../../domain/webhooks/webhook-health.ts';
import type { WebhookHealthStore } from '../../store/webhooks/webhook-health-store.ts';
import { type DisableWebhookDeps, disableWebhook } from './disable-webhook.ts';

export interface WatchDeps extends DisableWebhookDeps {
  health: Pick<WebhookHealthStore, 'noteFailure' | 'pause' | 'clear'>;
  now: () => Date;
}

export interface Delivered {
  delivery: Delivery;
  outcome: AttemptOutcome;
}

/** Counts the failures of an endpoint within one call. */
export interface Watch {
  /** When the endpoint's pause ends; null if there is none. */
  pausedUntil(): string | null;
  /** Whether the endpoint is disabled and gets no more requests. */
  isStopped(): boolean;
  /** Counts an attempt. If needed, pauses or disables the endpoint. */
  note(delivered: Delivered): Promise<void>;
}

export function watchEndpoint(deps: WatchDeps, endpoint: WebhookEndpoint, current: WebhookHealth = goodHealth): Watch {
  let health = current;
  let isStopped = endpoint.disabled !== null;

  let stopping: Promise<void> | undefined;

  /**
   * Disables the endpoint only once, even if several attempts of this call want to. If that fails, the next attempt
   * tries again.
   */
  const stop = (reason: 'gone' | 'failing') => {
    isStopped = true;
    stopping ??= disableWebhook(deps, endpoint.id, reason).catch((error) => {
      stopping = undefined;
      throw error;
    });
    return stopping;
  };

  const noteSuccess = async () => {
    if (!isGood(health)) await deps.health.clear(endpoint.id);
    health = goodHealth;
  };

  const noteFailure = async ({ delivery, outcome }: Delivered) => {
    const now = deps.now();
    const failure = { isTimeout: outcome.error === 'timeout', isExhausted: delivery.status === 'exhausted' };
    health = await deps.health.noteFailure(endpoint.id, { at: now.toISOString(), ...failure });
    const pausedUntil = duePause(health, now);
    if (pausedUntil) await deps.health.pause(endpoint.id, pausedUntil);
    if (pausedUntil) health = { ...health, pausedUntil, timeouts: 0 };
    if (hasFailedForDays(health, now)) await stop('failing');
  };

  return {
    pausedUntil: () => pauseOf(health, deps.now()),
    isStopped: () => isStopped,
    note: async (delivered) => {
      if (delivered.outcome.error === null) await noteSuccess();
      else if (delivered.outcome.status === goneStatus) await stop('gone');
      else await noteFailure(delivered);
    },
  };
}
