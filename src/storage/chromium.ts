/** Whether this browser is Chromium, which alone tells on opening that it has lost a store. */
export const isChromium = (): boolean => 'dataLoss' in IDBVersionChangeEvent.prototype;
