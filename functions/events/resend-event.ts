import { endpoint } from '../../shared/http/endpoint.ts';
import { deliveries, events, now, webhooks } from '../../shared/runtime.ts';
import { dispatchAgain } from '../../shared/use-cases/dispatch-again.ts';
import { presentEvent } from '../../shared/wire/recorded-event.ts';
import { ResendInput } from '../../shared/wire/webhook-command.ts';

const deps = { events: events(), webhooks: webhooks(), deliveries: deliveries(), now };

/** POST /events/{id}/resend */
export const handler = endpoint(
  { access: 'write', body: ResendInput, idempotent: true, present: presentEvent },
  ({ param, body, claim }) => dispatchAgain(deps, param('id'), body.endpointId, claim),
);
