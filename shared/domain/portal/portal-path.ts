/** The page of all orders of an e-mail address. */
export const portalPath = '/portal';

/** Where a link to the portal leads. Only the button of that page uses the link. */
export const portalLinkPath = `${portalPath}/confirm`;

/** The path of one order in the portal. Its button opens the page of the order. */
export const portalOrderPath = (paymentId: string): string => `${portalPath}/orders/${paymentId}`;

/** Where a buyer ends devices of licence keys, and where their data is. */
export const portalKeysPath = `${portalPath}/keys`;
export const portalDataPath = `${portalPath}/data`;
