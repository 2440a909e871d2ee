// Which browser this is, where one behaves otherwise than the standard has it.

/** Chromium alone tells, on opening, that it has lost a store. */
export const isChromium = (): boolean => 'dataLoss' in IDBVersionChangeEvent.prototype;

/** Safari, and all that shows pages by its means. */
export const isWebKit = (): boolean => !isChromium() && navigator.userAgent.includes('AppleWebKit/');
