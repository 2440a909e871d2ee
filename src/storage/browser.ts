// Which browser this is, where one behaves otherwise than the standard has it.

/** Chromium alone tells, on opening, that it has lost a store. */
export const isChromium = (): boolean => 'dataLoss' in IDBVersionChangeEvent.prototype;

/** Safari, and all that shows pages by its means, whatever that calls itself. All others but Firefox say `like Gecko`, if anything. */
export const isWebKit = (): boolean => !isChromium() && !navigator.userAgent.includes('Gecko/');
