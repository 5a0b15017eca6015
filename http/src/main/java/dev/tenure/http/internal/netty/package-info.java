/// The engine on Netty: the only package that knows it.
package dev.tenure.http.internal.netty;
