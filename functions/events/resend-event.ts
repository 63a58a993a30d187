import { endpoint } from '../../shared/http/endpoint.ts';
import { deliveries, events, now, webhooks } from '../../shared/runtime.ts';
import { keys, type RowKey } from '../../shared/store/keys.ts';
import { dispatchAgain } from '../../shared/use-cases/webhooks/dispatch-again.ts';
import { presentEvent } from '../../shared/wire/webhooks/recorded-event.ts';
import { ResendInput } from '../../shared/wire/webhooks/webhook-command.ts';

const deps = { events: events(), webhooks: webhooks(), deliveries: deliveries(), now };

const namedRows = (eventId: string, endpointId: string | null): RowKey[] =>
  endpointId === null ? [] : [keys.webhook(endpointId), keys.delivery(eventId, endpointId)];

/** POST /events/{id}/resend */
export const handler = endpoint(
  {
    access: 'write',
    body: ResendInput,
    idempotent: true,
    needs: ({ param, body }) => [keys.event(param('id')), ...namedRows(param('id'), body.endpointId)],
    present: presentEvent,
  },
  ({ param, body, claim }) => dispatchAgain(deps, param('id'), body.endpointId, claim),
);
