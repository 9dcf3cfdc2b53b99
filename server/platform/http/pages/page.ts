import type { FastifyInstance } from 'fastify';
import type { Services } from '../../services.ts';
import { PAGE_POLICY } from './page-layout.ts';
import { servicesOf } from '../request-context.ts';

/**
 * A page that the server shows to a person in a browser: the bank's challenge, an onboarding form. Not part of
 * the API, so not in the OpenAPI document.
 */
export interface WebPage<S extends Services = Services> {
  method: 'GET' | 'POST';
  /** Path of this server. */
  path: string;
  /** Whether other sites may show it in a frame. */
  framed?: boolean;
  handle(request: PageRequest<S>): Promise<PageResponse>;
}

export interface PageRequest<S extends Services = Services> {
  /** Of the sandbox that the page belongs to. */
  services: S;
  query: URLSearchParams;
  /** The fields of a form; empty for a GET. */
  form: URLSearchParams;
  /** IP address and user agent of the request. */
  sender: { ipAddress: string; userAgent: string | undefined };
}

export type PageResponse = { html: string; status?: number } | { redirect: string };

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

export function servePages(http: FastifyInstance, pages: readonly WebPage[]): void {
  for (const page of pages) {
    // Keeps other sites from showing the page in a frame, where its buttons could be pressed unawares.
    const policy = page.framed ? PAGE_POLICY : `${PAGE_POLICY}; frame-ancestors 'none'`;
    http.route({
      method: page.method,
      url: page.path,
      handler: async (request, reply) => {
        const answer = await page.handle({
          services: servicesOf(request),
          query: new URLSearchParams(request.url.split('?')[1] ?? ''),
          form: new URLSearchParams(typeof request.body === 'string' ? request.body : ''),
          sender: { ipAddress: request.ip, userAgent: request.headers['user-agent'] },
        });
        if ('redirect' in answer) return reply.redirect(answer.redirect, 303);
        return reply
          .code(answer.status ?? 200)
          .headers({ ...HEADERS, 'content-security-policy': policy })
          .send(answer.html);
      },
    });
  }
}
