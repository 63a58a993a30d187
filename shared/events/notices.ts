import type { WebhookEndpoint } from '../domain/webhooks/webhook.ts';

/**
 * The types of notices, which inform a merchant about the service. Notices are stored and listed like events, but never
 * sent to endpoints.
 */
export const noticeTypes = ['webhook.disabled'] as const;
export type NoticeType = (typeof noticeTypes)[number];

export const isNotice = (type: string): boolean => noticeTypes.some((notice) => notice === type);

export interface Notice {
  id: string;
  type: NoticeType;
  occurredAt: string;
  data: Record<string, unknown>;
}

/** The notice that an endpoint was disabled, with the reason. */
export const webhookDisabled = ({ disabled, ...endpoint }: WebhookEndpoint, id: string): Notice => ({
  id,
  type: 'webhook.disabled',
  occurredAt: endpoint.updatedAt,
  data: { webhook_id: endpoint.id, url: endpoint.url, disabled_reason: disabled?.reason ?? null },
});
