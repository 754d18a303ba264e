/** What Node's error codes mean for whoever runs the receiving end. */
type Words = Readonly<Partial<Record<string, string>>>;

/** Of TCP, after "<host> port <port> …". */
export const connectWords: Words = {
  ECONNREFUSED: 'refused the connection: nothing listens there',
  EHOSTUNREACH: 'cannot be reached: no route leads there',
  ENETUNREACH: 'cannot be reached: no route leads there',
  ETIMEDOUT: 'did not accept the connection',
  ECONNRESET: 'closed the connection while it was being made',
  EACCES: 'is kept from the gateway by a firewall of its own machine',
  EPERM: 'is kept from the gateway by a firewall of its own machine',
};

/** The gateway's machine is out of something. */
export const ownTroubles: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM']);

/** Of a certificate, after "The certificate of <host> …". */
export const certificateWords: Words = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'comes from an authority that is not publicly trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'came without the intermediate certificates',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes from an authority that is not publicly trusted, or came without the intermediates',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'came without the intermediate certificates',
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  CERT_REVOKED: 'was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name',
};

/** Of the rest of the handshake, after "The TLS handshake with <host> failed: …". */
export const handshakeWords: Words = {
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS on that port, plain HTTP perhaps',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS on that port, plain HTTP perhaps',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'it speaks only versions of TLS older than 1.2',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'it speaks only other versions of TLS than 1.2 and 1.3',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'it found no cipher in common, or wants a client certificate',
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'it knows no site of that name',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'it wants a client certificate, and webhooks have none',
};
