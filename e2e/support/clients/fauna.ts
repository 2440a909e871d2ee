import { Client, fql, InvalidRequestError } from 'fauna';

Object.assign(window, { fauna: { Client, fql, InvalidRequestError } });
