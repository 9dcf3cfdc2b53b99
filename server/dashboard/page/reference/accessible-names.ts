/** Attributes that Swagger UI leaves out, or sets to what a button does not say. */
const ATTRIBUTES: readonly [selector: string, attribute: string, value: string][] = [
  ['.copy-to-clipboard > button', 'aria-label', 'Copy'],
  ['.copy-to-clipboard:not(:has(button))', 'aria-hidden', 'true'],
  ['.examples-select-element', 'aria-label', 'Example'],
  ['textarea.body-param__text', 'aria-label', 'Body of the request'],
  ['.parameters select', 'aria-label', 'Value'],
  ['.content-type', 'aria-label', 'Content type'],
  ['pre.microlight, .body-param__example, pre.curl, .request-url pre', 'tabindex', '0'],
  ['.close-modal', 'aria-label', 'Close'],
  ['.modal-btn.auth[type="submit"]', 'aria-label', 'Authorize'],
  ['.modal-btn.auth:not([type="submit"], .btn-done)', 'aria-label', 'Logout'],
  ['.auth-container h6', 'aria-level', '5'],
];

/** Sets the attributes that the elements of Swagger UI lack, now and as they appear. */
export function nameElements(root: HTMLElement): void {
  const name = () => {
    for (const [selector, attribute, value] of ATTRIBUTES) {
      for (const element of root.querySelectorAll(selector)) {
        if (element.getAttribute(attribute) !== value) element.setAttribute(attribute, value);
      }
    }
  };
  new MutationObserver(name).observe(root, { childList: true, subtree: true });
  name();
}
