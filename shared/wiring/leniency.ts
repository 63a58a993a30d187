import { leavingOut } from '../http/left-out-fields.ts';
import { leftOutFields } from './runtime.ts';

/** How endpoints handle fields that version 0.2.0 ignored. */
export const leniency = /* @__PURE__ */ leavingOut(leftOutFields);
