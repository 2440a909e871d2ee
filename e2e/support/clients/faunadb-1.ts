import faunadb from 'faunadb-1';

Object.assign(window, { faunadb1: faunadb });
