import { keys, type RowKey } from '../../shared/store/keys.ts';
import { dispatchAgain } from '../../shared/use-cases/webhooks/dispatch-again.ts';
import { presentEvent } from '../../shared/wire/webhooks/recorded-event.ts';
import { ResendInput } from '../../shared/wire/webhooks/webhook-command.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { deliveries, events, now, webhooks } from '../../shared/wiring/runtime.ts';

const deps = { events: events(), webhooks: webhooks(), deliveries: deliveries(), now };
const rowsOf = (id: string, endpointId: string | null): RowKey[] =>
  endpointId === null ? [keys.event(id)] : [keys.event(id), keys.webhook(endpointId), keys.delivery(id, endpointId)];

/** POST /webhook-events/{id}/resend */
export const handler = endpoint(
  {
    body: ResendInput,
    present: presentEvent,
    access: 'write',
    idempotent: true,
    needs: ({ param, body }) => rowsOf(param('id'), body.endpointId),
  },
  ({ param, body, claim }) => dispatchAgain(deps, param('id'), body.endpointId, claim),
);
