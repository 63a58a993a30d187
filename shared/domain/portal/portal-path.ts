/** The page of all orders of an e-mail address. */
export const portalPath = '/portal';

/** The page to which a link to the portal leads. Opening the page does not use up the link. Only its button does. */
export const portalLinkPath = `${portalPath}/confirm`;

/** The path of one order in the portal. Its button opens the page of the order. */
export const portalOrderPath = (paymentId: string): string => `${portalPath}/orders/${paymentId}`;

/** The pages where a buyer can deactivate devices of licence keys, and see the stored data. */
export const portalKeysPath = `${portalPath}/keys`;
export const portalDataPath = `${portalPath}/data`;
