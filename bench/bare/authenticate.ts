import { createHash, createSecretKey } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import jwt from 'jsonwebtoken';

/** What a bare server must know to tell who calls. */
export type Credentials = { apiKey: string; companyId: string; jwtSecret: string };

declare module 'express-serve-static-core' {
  interface Request {
    /** Whose data the caller may see. */
    companyId?: string;
  }
}

/** The least that tells a company: the hash of its key looked up in a Map, or a token verified under a key object. */
export function authenticateBy({ apiKey, companyId, jwtSecret }: Credentials): RequestHandler {
  const companies = new Map([[sha256(apiKey), companyId]]);
  const verify = tokenVerifier(jwtSecret);
  return (request, response, next) => {
    const key = request.headers['x-service-api-key'];
    const company = typeof key === 'string' ? companies.get(sha256(key)) : verify(bearer(request))?.company_id;
    if (company === undefined) {
      response.status(401).json({ error: 'unauthenticated' });
      return;
    }
    request.companyId = company;
    next();
  };
}

/** The claims of a token; undefined when it is none of ours. */
export function tokenVerifier(jwtSecret: string): (token: string) => { sub: string; company_id: string } | undefined {
  const key = createSecretKey(Buffer.from(jwtSecret, 'utf8'));
  return (token) => {
    try {
      return jwt.verify(token, key, { algorithms: ['HS256'] }) as { sub: string; company_id: string };
    } catch {
      return undefined;
    }
  };
}

function bearer({ headers }: Request): string {
  return headers.authorization?.slice('Bearer '.length) ?? '';
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
