package io.muninn.apps.mult;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DoubleMatrix;
import org.junit.jupiter.api.Test;

class MultKernelTest {
    private static DoubleMatrix product(int size) {
        DoubleMatrix left = DoubleMatrix.local(size, size);
        DoubleMatrix right = DoubleMatrix.local(size, size);
        DoubleMatrix product = DoubleMatrix.local(size, size);
        MultKernel.fill(left, right);
        for (int row = 0; row < size; row++) {
            MultKernel.multiplyRow(left, right, 0, product, row, new double[size]);
        }
        return product;
    }

    @Test
    void rowOfAProduct_isTheSumOfScaledRows() {
        DoubleMatrix left = DoubleMatrix.local(2, 2);
        DoubleMatrix right = DoubleMatrix.local(2, 2);
        DoubleMatrix product = DoubleMatrix.local(2, 2);
        left.copyFrom(1, new double[] {2, 3});
        right.copyFrom(0, new double[] {5, 7});
        right.copyFrom(1, new double[] {11, 13});

        MultKernel.multiplyRow(left, right, 0, product, 1, new double[] {99, 99});

        assertEquals(2 * 5 + 3 * 11, product.get(1, 0));
        assertEquals(2 * 7 + 3 * 13, product.get(1, 1));
    }

    @Test
    void oneElementOffByOneBit_isFoundAndNamed() {
        DoubleMatrix product = product(20);
        assertTrue(MultKernel.verify(product).right());

        product.set(19, 7, Math.nextUp(product.get(19, 7)));

        assertFalse(MultKernel.verify(product).right());
        assertTrue(MultKernel.verify(product).detail().startsWith("element (19, 7) is "));
    }
}
