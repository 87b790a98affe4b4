/**
 * The value vocabulary of Muninn: nodes, pages, access, faults, locks and barriers by name.
 *
 * <p>Behaviour beyond validation does not belong here. This package imports nothing of the project;
 * start reading at {@link io.muninn.model.PageId}.
 */
@NullMarked
package io.muninn.model;

import org.jspecify.annotations.NullMarked;
