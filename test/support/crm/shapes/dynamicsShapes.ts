import { z } from 'zod';
import type { RequestShape } from '../requestShapes.ts';

const guid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const odata = { 'odata-version': '4.0', 'odata-maxversion': '4.0' };
/** A value is in quotes, and what is in quotes ends nowhere else. */
const value = `'(?:[^']|'')*'`;
const columns = z.string().regex(/^[a-z0-9_]+(,[a-z0-9_]+)*$/);
const expand = z.string().regex(/^\w+\(\$select=[a-z,]+\)$/);
const filter = z
  .string()
  .regex(new RegExp(`^(?:\\w+ eq (?:${value}|${guid}|0|false)|contains\\(\\w+,${value}\\)|[()]| or | and )+$`));
const note = z.strictObject({
  subject: z.string().max(500),
  notetext: z.string().max(100_000),
  'objectid_phonecall@odata.bind': z.string().regex(new RegExp(`^/phonecalls\\(${guid}\\)$`)),
});
const contactBind = z.string().regex(new RegExp(`^/contacts\\(${guid}\\)$`));
const userBind = z.string().regex(new RegExp(`^/systemusers\\(${guid}\\)$`));
const participationtypemask = z.union([z.literal(1), z.literal(2)]);
/** What is asked of Dynamics, as its vendor documents it. */
export const dynamicsShapes: RequestShape[] = [
  { method: 'GET', path: /\/api\/data\/v9\.2\/WhoAmI/, headers: odata },
  {
    method: 'GET',
    path: /\/api\/data\/v9\.2\/(contacts|phonecalls|incidents|systemusers)/,
    query: z.strictObject({
      $select: columns,
      $expand: expand.optional(),
      $filter: filter.optional(),
      $count: z.literal('true').optional(),
      $top: z.string().regex(/^\d{1,2}$/),
    }),
    headers: odata,
  },
  {
    method: 'GET',
    path: new RegExp(`/api/data/v9\\.2/(contacts|phonecalls)\\(${guid}\\)`),
    query: z.strictObject({ $select: columns, $expand: expand.optional() }),
    headers: odata,
  },
  {
    method: 'POST',
    path: /\/api\/data\/v9\.2\/phonecalls/,
    headers: odata,
    json: z.strictObject({
      activityid: z.uuid({ version: 'v5' }),
      subject: z.string().min(1).max(200),
      description: z.string().max(2_000),
      phonenumber: z.string().max(200),
      directioncode: z.boolean(),
      actualstart: z.iso.datetime(),
      actualend: z.iso.datetime(),
      actualdurationminutes: z.int().min(0),
      category: z.string().max(250).optional(),
      'ownerid@odata.bind': userBind.optional(),
      'regardingobjectid_contact_phonecall@odata.bind': contactBind,
      phonecall_activity_parties: z.array(
        z.union([
          z.strictObject({ participationtypemask, 'partyid_contact@odata.bind': contactBind }),
          z.strictObject({ participationtypemask, 'partyid_systemuser@odata.bind': userBind }),
        ]),
      ),
    }),
  },
  {
    method: 'PATCH',
    path: new RegExp(`/api/data/v9\\.2/phonecalls\\(${guid}\\)`),
    headers: { ...odata, 'if-match': '*' },
    json: z.strictObject({ statecode: z.literal(1), statuscode: z.union([z.literal(2), z.literal(4)]) }),
  },
  { method: 'PATCH', path: new RegExp(`/api/data/v9\\.2/annotations\\(${guid}\\)`), headers: odata, json: note },
  {
    method: 'POST',
    path: /\/[^/]+\/oauth2\/v2\.0\/token/,
    form: z.strictObject({
      grant_type: z.literal('client_credentials'),
      client_id: z.string(),
      client_secret: z.string(),
      scope: z.string().regex(/^https?:\/\/[^/]+\/\.default$/),
    }),
  },
];
