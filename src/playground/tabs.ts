// Tabs as the ARIA practices have them: arrow keys move, one stop in the Tab order.

/** @param onShow called with the id of the panel that has become visible */
export function wireTabs(list: HTMLElement, onShow: (panel: string) => void): { show(tabId: string): void } {
  const tabs = [...list.querySelectorAll<HTMLButtonElement>('[role="tab"]')];
  const panelOf = (tab: HTMLButtonElement): string => tab.getAttribute('aria-controls') ?? '';

  const show = (shown: HTMLButtonElement): void => {
    for (const tab of tabs) {
      const isShown = tab === shown;
      tab.setAttribute('aria-selected', String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      const panel = document.getElementById(panelOf(tab));
      if (panel !== null) panel.hidden = !isShown;
    }
    onShow(panelOf(shown));
  };

  const steps: Readonly<Record<string, (at: number) => number>> = {
    ArrowRight: (at) => (at + 1) % tabs.length,
    ArrowLeft: (at) => (at + tabs.length - 1) % tabs.length,
    Home: () => 0,
    End: () => tabs.length - 1,
  };

  tabs.forEach((tab, at) => {
    tab.addEventListener('click', () => show(tab));
    tab.addEventListener('keydown', (event) => {
      const next = tabs[steps[event.key]?.(at) ?? -1];
      if (next === undefined) return;
      event.preventDefault();
      show(next);
      next.focus();
    });
  });

  return {
    show: (tabId) => {
      const tab = tabs.find((each) => each.id === tabId);
      if (tab !== undefined) show(tab);
    },
  };
}
