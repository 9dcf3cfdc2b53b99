import type { Page } from 'playwright-core';

// Runs in the browser. Text has to stand out from what is behind it (WCAG 2.2 §1.4.3), fields have to say what they
// are (§3.3.2), and nobody should have to scroll sideways (§1.4.10).
const LOOK = `(() => {
  const problems = [];
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = (color) => {
    const [r, g, b] = channels(color).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (channels(color)[3] !== 0) return color;
    }
    return 'rgb(255, 255, 255)';
  };
  const contrast = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  for (const element of document.body.querySelectorAll('*')) {
    const style = getComputedStyle(element);
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || !element.checkVisibility() || style.fontSize === '0px' || element.tagName === 'SCRIPT') continue;
    const ratio = contrast(style.color, behind(element));
    if (ratio < 4.5) problems.push('contrast ' + ratio.toFixed(2) + ': ' + element.textContent.trim());
  }
  for (const field of document.querySelectorAll('input:not([type=hidden]), select')) {
    if (!field.labels.length) problems.push('no label: ' + field.name);
    if (contrast(getComputedStyle(field).borderTopColor, behind(field.parentElement)) < 3 && !/radio|checkbox/.test(field.type))
      problems.push('faint edge: ' + field.name);
  }
  const described = [...document.querySelectorAll('[aria-describedby]')].flatMap((each) => each.getAttribute('aria-describedby').split(' '));
  for (const id of described) if (!document.getElementById(id)) problems.push('nothing there: ' + id);
  if (document.querySelectorAll('h1').length !== 1) problems.push('not one heading');
  if (document.documentElement.scrollWidth > innerWidth) problems.push('wider than the window');
  return problems;
})()`;

/** What is wrong with a page for those who see it, at both widths and in light and dark. */
export async function pageProblems(page: Page): Promise<string[]> {
  const before = page.viewportSize()!;
  const problems: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1280]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      const found = await page.evaluate<string[]>(LOOK);
      problems.push(...found.map((problem) => `${page.url()} ${colorScheme} ${width}: ${problem}`));
    }
  await page.setViewportSize(before);
  return problems;
}
